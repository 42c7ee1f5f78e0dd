"""Figures for Prometheus: counted by requests and workers, kept in the database, shown at /metrics.

Apps register figures of their own. Nothing of a case or a person is ever a figure or a label.
"""
