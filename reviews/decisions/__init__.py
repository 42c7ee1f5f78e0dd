"""Decisions on cases: their rules, the second person, the decision policy and its versions.

Pages, the REST interface and tasks call this package. It makes no call to a service.
"""
