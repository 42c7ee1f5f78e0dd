"""Accounts of the hub: API keys, signing secrets, and the permission to manage them.

The interface, the pages and the admin call it. It runs no checks.
"""
