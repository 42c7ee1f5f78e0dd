"""Pages of the hub, for its administrators.

URLs lead here. No room of the hub imports a page.
"""
