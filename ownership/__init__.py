"""Computes who owns and who controls a business: exact sums over a graph of holdings, in plain
Python.

The desk may call it. It imports neither Django nor other packages of this project, reads no
settings and writes nothing. A share is a fraction of one; it is an interval if it is not known
exactly.
"""
