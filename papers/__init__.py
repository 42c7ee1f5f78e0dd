"""Paper, in plain Python: files opened, pages as pictures, words with boxes, fonts, printed reports.

Checks, desk and hub may call it. It imports no Django and nothing else of this project, reads no
settings and writes to no database.
"""
