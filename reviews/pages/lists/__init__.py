"""Lists of all documents and all jobs, and the page of one job.

URLs lead here. They only read.
"""
