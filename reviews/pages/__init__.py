"""Pages of the desk, one folder for each area.

URLs lead here. Rooms of the desk never import a page.
"""
