"""Pages of procedures: their versions and the editor, and the checklist of a case.

Addresses call them. They hold no rules of their own.
"""
