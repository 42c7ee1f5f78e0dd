"""The endpoints of the interface, one module per resource.

A view reads the request, calls another package, and builds the response.
"""
