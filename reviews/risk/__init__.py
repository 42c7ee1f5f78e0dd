"""The risk of a customer: the facts that count, the policy that weighs them, and the rating.

Jobs, pages and REST ask for a rating here. Nothing here decides a case.
"""
