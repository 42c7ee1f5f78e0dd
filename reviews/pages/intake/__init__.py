"""Forms that open cases, and forms by which applicants answer.

URLs lead here. The actions themselves are in reviews/intake.
"""
