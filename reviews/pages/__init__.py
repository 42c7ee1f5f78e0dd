"""Pages of the desk, one folder a part of the work.

URLs lead here. No room of the desk imports a page.
"""
