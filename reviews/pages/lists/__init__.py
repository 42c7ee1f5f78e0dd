"""Lists of all documents and of all jobs, and one job.

URLs lead here. They only read.
"""
