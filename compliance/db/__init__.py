"""What touches the database below the ORM, and how a status moves.

Models and the work queues call it. Whoever can use the ORM uses the ORM.
"""
