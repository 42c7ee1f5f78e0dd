"""Accounts of the hub: API keys, signing secrets, and who may manage them.

The interface, the pages and the admin call it. It runs no checks.
"""
