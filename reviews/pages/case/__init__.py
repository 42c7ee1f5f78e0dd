"""The page of a case, and the actions on it.

URLs lead here. The actions themselves are functions of the rooms.
"""
