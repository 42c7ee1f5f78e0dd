"""Webhooks of the desk: who subscribed, and the announcements of what happens to cases.

Decisions and reopening write announcements, tasks send them.
"""
