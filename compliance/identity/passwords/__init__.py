"""Which passwords are refused, as Django's validators.

The settings name them. They ask no other machine, and log nothing.
"""
