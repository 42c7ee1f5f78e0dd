"""Parties of cases: read from attested data, found again in other cases, joined by people.

Intake, pages and REST call it. It never joins parties by their names: a name only makes a possible
duplicate. It sends nothing and asks no service.
"""
