"""The findings of checks as they apply now: effective runs, confirmation, dismissals, state.

Jobs, decisions, pages and the REST interface call this package. It closes no case, and calls a
service only for look-ups.
"""
