"""Webhooks of the hub: delivering them, and testing a receiver.

Jobs write deliveries, tasks send them. Of a response it interprets only the status.
"""
