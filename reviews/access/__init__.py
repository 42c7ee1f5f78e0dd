"""Who may do what at the desk: roles, visible connections, API tokens, masking, read records.

Rooms and faces call it. It never changes a case.
"""
