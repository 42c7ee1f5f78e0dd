"""Periodic reviews: when an approved customer is looked at again, and the case that this opens.

The queue, pages, the report and REST read here. Nothing here decides a case.
"""
