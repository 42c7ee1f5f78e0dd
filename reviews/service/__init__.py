"""The service at the other end: one client for all its endpoints, connections and pauses.

Jobs, intake and the faces call it. It changes no case.
"""
