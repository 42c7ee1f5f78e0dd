"""Webhooks of the hub: their delivery, and tests of a receiver.

Jobs write deliveries, tasks send them. It reads no answer but the status.
"""
