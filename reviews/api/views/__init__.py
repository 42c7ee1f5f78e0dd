"""The endpoints of the desk's REST interface, one file for each resource.

URLs lead here. They read the request, call a room, and build the response.
"""
