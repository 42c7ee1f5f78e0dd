"""Changes of settings: each is recorded, and important ones may need a second person's approval.

Pages, interfaces and the admin make their changes through `interception`. Apps register their
tables in `registry`. The package itself knows no table, and decides nothing about cases.
"""
