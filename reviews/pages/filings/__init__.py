"""Pages of reports to an authority.

URLs lead here. They hold no rules of their own.
"""
