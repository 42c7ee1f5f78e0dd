"""Batches of cases: reading a CSV, creating jobs from it, and exporting results as CSV.

The interface and tasks call it. A job of a batch is a job like any other.
"""
