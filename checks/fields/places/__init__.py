"""What speaks for a country in the words of a page: names of states, towns, currencies, domains.

Tables alone decide, and no rule is for one country. It may be called by `checks.fields`; it never decides alone.
"""
