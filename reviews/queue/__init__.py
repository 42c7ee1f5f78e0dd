"""The queue: filters, pages, search, acts on many cases, and the figures of the dashboard.

Pages and the REST interface call this package. Except for acts on many cases it only reads.
"""
