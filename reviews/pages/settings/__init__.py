"""Connections and API tokens, for those who manage them.

URLs lead here. Verbs are in reviews/service and reviews/access.
"""
