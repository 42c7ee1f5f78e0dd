"""Automatic approvals: the switch, the approvals, and the trial of a policy on earlier cases.

Above `reviews.decisions.decisions`, which it calls, and `reviews.decisions.policies`, which it
reads. Decisions of people do not call this package.
"""
