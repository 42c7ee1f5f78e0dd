"""The page of a case, and the acts on it.

URLs lead here. Verbs are in the rooms.
"""
