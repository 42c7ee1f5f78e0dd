"""Whom cases are about: names, earlier cases of the same subject, the rolling state.

Jobs, batches and the interface call it. It decides nothing.
"""
