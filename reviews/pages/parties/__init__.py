"""The pages of parties: the list, and one party with its structure.

Views only; the rules are in reviews.parties.
"""
