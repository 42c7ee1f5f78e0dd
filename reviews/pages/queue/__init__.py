"""The queue, the dashboard, and the acts on their rows.

URLs lead here. Verbs are in the rooms.
"""
