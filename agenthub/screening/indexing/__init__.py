"""Rows by which a list is searched: its names' words, its identifiers, and the postings of keys.

Loading and re-indexing call it. It creates no version and activates none.
"""
