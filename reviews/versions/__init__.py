"""Versions of policies and procedures, and what-ifs: one way to make, try and release them.

The rooms that have versions call it. It knows the content of none.
"""
