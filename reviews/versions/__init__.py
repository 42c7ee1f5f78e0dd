"""Versions of policies and procedures, and trials of them: one way to draft, try and release.

The rooms that have versions call it. It does not know their content.
"""
