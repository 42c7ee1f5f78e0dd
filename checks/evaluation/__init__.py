"""How well the fields of labelled documents are read: recall and precision by kind and field.

`manage.py evaluate` calls it. It runs the first tool of each check as a job does, and changes
nothing. It never sends a document or a value anywhere.
"""
