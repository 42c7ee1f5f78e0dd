"""Parts of a check's payload in detail: comparisons, edits, faces, places, lists.

reviews/results and the pages call it. It never raises on what a service sent.
"""
