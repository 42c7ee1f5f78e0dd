"""Changes of settings: each is recorded, and those that decide may need a second person.

Faces of desk and hub, and the admin, make their changes by `interception`. Apps register their
tables in `registry`. It knows no table of its own accord, and decides nothing about cases.
"""
