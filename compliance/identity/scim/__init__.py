"""SCIM 2 (RFC 7643, 7644): the company's directory adds people, gives them roles, and removes them.

The directory calls it with a token of its own. It never sees a superuser, sets no password, and deletes
nobody: who is deleted there is deactivated here, because the audit trail names people.
"""
