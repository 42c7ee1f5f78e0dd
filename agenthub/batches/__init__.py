"""Batches of cases: the CSV read, the jobs made of it, and the result as CSV.

The interface and tasks call it. A job of a batch is a job like any other.
"""
