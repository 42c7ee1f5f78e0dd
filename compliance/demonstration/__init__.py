"""The demonstration: users, an account of the hub, lists, open cases and decided cases.

This is the only package that knows both the desk and the hub, because it connects their data.
"""
