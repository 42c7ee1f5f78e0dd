"""The rating engine: plain Python, without Django and without a database.

It computes a rating with its reasons from inputs and a policy. Equal inputs give equal ratings.
It reads no case and stores nothing.
"""
