"""What the project sends and receives over HTTP, for all apps.

Requests out, signatures, the outbox, limits on callers, and the parts of JSON interfaces.
Apps call it. It knows no table of an app and no page.
"""
