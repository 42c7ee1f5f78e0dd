"""Pages of reports to an authority.

Addresses call them. They hold no rules of their own.
"""
