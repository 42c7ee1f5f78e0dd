"""Webhooks of the hub on their way out, and trying a receiver.

Jobs write deliveries, tasks send them. It reads no answer but the status.
"""
