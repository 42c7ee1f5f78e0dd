"""The queue: filters, pages by key, search, one act on many cases, figures of the dashboard.

The faces call it. It only reads, but for acts on many cases.
"""
