"""SCIM 2 (RFC 7643, 7644): the company's directory adds people, assigns roles, and removes people.

The directory authenticates with its own token. It never sees superusers, sets no passwords, and
deletes nobody: a person deleted there is deactivated here, because the audit trail names people.
"""
