"""The parts of a backup, one module per kind: how each is read, and how it is written back.

The modules above call it. It does not decide when or whether to do so.
"""
