"""Enrichment: what is known of a person or company beside the case.

The interface and checks ask it. What it does not know, it says it does not know.
"""
