"""The engine of ratings: plain Python, without Django and without a database.

From inputs and a policy it computes a rating: the same every time, with its reasons. It reads no case and stores nothing.
"""
