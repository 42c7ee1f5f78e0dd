"""Limits on callers: requests per address, sizes of bodies, and quotas per day.

Middleware, the embedded server and the apps call it. It imports no app: apps register functions
that recognise their keys and links.
"""
