"""The privacy pages: rules, holds and erasures of all cases, and those of one case.

They call reviews.privacy and hold no rules of their own.
"""
