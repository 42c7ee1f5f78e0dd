"""Privacy: retention rules, legal holds, erasures, and exports for the subject.

Pages, the REST interface and tasks call this package. It erases no case that is on hold or has a
running job, unless the case was erased before a backup was restored.
"""
