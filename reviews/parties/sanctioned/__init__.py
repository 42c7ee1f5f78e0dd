"""Which parties are on lists of sanctions, and what follows for those that they own.

The pages and the ratings call it. It changes nothing.
"""
