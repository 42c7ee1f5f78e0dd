"""Webhooks of the desk: who subscribed, and the announcements of decisions.

Decisions and reopening write announcements, tasks send them.
"""
