"""How cases are opened: forms, drafts, batches, imports of jobs, and requests to applicants.

Pages and the REST interface call this package. It queues the first job of a case; reviews.jobs
does the rest.
"""
