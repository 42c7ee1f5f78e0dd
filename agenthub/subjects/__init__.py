"""Subjects of cases: names, facts, a subject's earlier cases, and states of applications.

Jobs, batches and the interface call it. It makes no decisions.
"""
