"""Decisions: the rules for them, a second person, and what they change.

The faces call it. It asks no service.
"""
