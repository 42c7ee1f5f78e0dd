"""Enrichment: facts about a person or company from beyond the case.

The interface and checks call it. Where it has no facts, it says so.
"""
