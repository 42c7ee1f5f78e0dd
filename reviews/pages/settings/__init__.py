"""Connections and API tokens, for users who manage them.

URLs lead here. The actions themselves are in reviews/service and reviews/access.
"""
