"""Cells of a page, and the words that are labels of fields."""
