"""Measurements for the accuracy goals of documents. Each module has `measure(report, corpus)`."""
