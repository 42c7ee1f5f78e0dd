"""Metrics for Prometheus: counted by requests and workers, kept in the database, seen at /metrics.

Apps register their own metrics. Nothing of a case or a person is ever a metric or a label.
"""
