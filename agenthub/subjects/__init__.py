"""Subjects of cases: names, facts, earlier cases of the same subject, and the state of
applications.

Jobs, batches and the interface call it. It makes no decisions.
"""
