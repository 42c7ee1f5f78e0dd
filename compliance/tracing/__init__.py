"""Spans of traces: what this installation did, when, and because of what.

All rooms above may open spans. Nothing of OpenTelemetry is loaded unless the settings name a collector.
No span holds personal data: ids, checks, verdicts, statuses and numbers are all that it has.
"""
