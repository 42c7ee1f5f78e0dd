"""The remote service: a client for all its endpoints, its connections, and pauses.

Jobs, intake, pages and the REST interface call this package. It changes no case.
"""
