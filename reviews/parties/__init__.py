"""Parties of cases: read from attested data, recognised in other cases, and merged by people.

Intake, pages and the REST interface call this package. Equal names never merge parties: they
only make possible duplicates. It calls no service.
"""
