"""Jobs: creating them, running their checks, resuming after a crash, ending them.

The interface and tasks call it. It changes no document and no account.
"""
