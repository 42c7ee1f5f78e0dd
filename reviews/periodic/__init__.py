"""Periodic reviews: when an approved customer is reviewed again, and the case opened for that.

The queue, pages, the report and REST read here. Nothing here decides a case.
"""
