"""Merges of parties by people: merging, undoing, and what came in while two parties were one.

The pages of parties may call it. Nothing is moved by a merge.
"""
