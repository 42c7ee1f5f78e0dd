"""Tables of policies of decisions, and what all versions and what-ifs have in common.

Rooms call them; they hold no rules.
"""
