"""Pages of procedures: versions and editor, and the checklist of a case.

URLs lead here. They hold no rules of their own.
"""
