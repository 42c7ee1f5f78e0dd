"""Readers for single parts of a payload: comparisons, edits, faces, places on pages, screening
hits.

The modules of reviews/results and the pages call them. They never raise on what a service sent.
"""
