"""How a case begins: forms, drafts, batches, and what is asked of applicants.

The faces call it. It queues the first job and leaves the rest to jobs.
"""
