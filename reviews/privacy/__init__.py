"""Privacy: retention rules, legal holds, erasures, and exports for the subject.

Pages, the REST interface and tasks call this package. It never erases a case that is on hold or
has a running job.
"""
