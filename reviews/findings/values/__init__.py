"""The values of fields that people chose or corrected, and how fields were read.

Called by jobs, decisions and the faces. Never changes a result: a choice stands beside it.
"""
