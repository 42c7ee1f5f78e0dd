"""The examination of `manage.py doctor`: each part of an installation, with advice if it is faulty.

The command calls it. Apps register their own parts in `registry`.
"""
