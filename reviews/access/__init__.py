"""Who may do what at the desk: roles, the connections a person sees, tokens of other systems.

Rooms and faces call it. It changes no case.
"""
