"""The endpoints of the interface, one file a resource.

URLs lead here. They read the request, call a room, and write the answer.
"""
