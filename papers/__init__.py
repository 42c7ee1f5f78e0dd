"""Work on paper in plain Python: open files, draw pages as pictures, find words, print reports.

Checks, desk and hub may import it. It imports no Django and nothing else of this project, reads no
settings and writes to no database.
"""
