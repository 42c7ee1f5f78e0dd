"""What `manage.py doctor` looks at: each part of an installation, with what to do where it is not right.

The command calls it. Apps register parts of their own in `registry`.
"""
