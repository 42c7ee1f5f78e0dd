"""The risk rating of a customer: its inputs, the policy that weighs them, and overrides.

Jobs, pages and the REST interface call this package. It decides no case.
"""
