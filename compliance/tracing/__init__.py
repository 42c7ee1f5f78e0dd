"""What leaves for collectors: spans of traces, which say what was done and because of what, and the log.

All rooms above may open spans. Nothing of OpenTelemetry is loaded unless the settings name a collector.
No span holds personal data: ids, checks, verdicts, statuses and numbers are all that it has.
"""
