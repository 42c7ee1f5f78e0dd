"""Data for collectors: tracing spans, and the log.

All packages above may open spans. Nothing of OpenTelemetry is loaded unless the settings name a
collector. Spans contain no personal data: only ids, checks, verdicts, statuses and numbers.
"""
