"""The queue, the dashboard, and the actions on their rows.

URLs lead here. The actions themselves are functions of the rooms.
"""
