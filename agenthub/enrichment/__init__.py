"""Enrichment: facts about a person or company from sources outside the case.

The interface and checks call it. If it has no facts, it says so.
"""
