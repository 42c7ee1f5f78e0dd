"""Pages of the hub, for its administrators.

URLs lead here. The hub's other packages import no page.
"""
