"""HTTP for all apps: incoming and outgoing requests.

It holds the client for outgoing requests, signatures, the outbox, limits on callers, and the parts
of JSON interfaces. Apps call it. It knows no table of an app and no page.
"""
