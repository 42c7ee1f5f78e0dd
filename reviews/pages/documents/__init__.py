"""Documents and the pictures of their pages, for those who may see the case.

URLs lead here. They only read.
"""
