"""What speaks for a country in the words of a page: names of states, towns, currencies, domains.

The tables hold all that is about one country. What is read here is evidence: `checks.fields.jurisdictions` decides.
"""
