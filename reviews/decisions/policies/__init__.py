"""The decision policy: its content, versions, trials, second looks and automatic approvals.

Decisions, pages and the REST interface call this package. The policy adds demands to the
four-eyes rules; it never replaces one of them.
"""
