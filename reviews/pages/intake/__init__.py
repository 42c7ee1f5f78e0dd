"""Forms by which cases begin and applicants answer.

URLs lead here. Verbs are in reviews/intake.
"""
