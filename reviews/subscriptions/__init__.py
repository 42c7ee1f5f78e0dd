"""Outgoing webhooks of the desk: subscriptions, and announcements of events in cases.

Decisions and reopening write announcements; tasks send them.
"""
