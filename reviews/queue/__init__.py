"""The queue: filters, pages by key, search, acts on many cases, the dashboard.

The faces call it. It only reads, but for acts on many cases.
"""
