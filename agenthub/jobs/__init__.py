"""Jobs: created, run check by check, taken up again after a crash, ended.

The interface and tasks call it. It changes no document and no account.
"""
