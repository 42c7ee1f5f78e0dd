"""Database code below the ORM, and how a status moves.

Models and the work queues call it. All other code uses the ORM.
"""
