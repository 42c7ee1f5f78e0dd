"""The decision policy: its content, versions, demands and second looks.

Decisions, pages and the REST interface call this package. The policy adds demands to the
four-eyes rules; it never replaces one of them.
"""
