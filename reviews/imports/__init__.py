"""Import of cases from a file: read it, map its columns, validate all rows, open cases in the
background.
"""
