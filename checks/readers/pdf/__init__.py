"""Reads a PDF: pages with words, structure, saved versions, digital signatures, hidden text.

The evidence and the indicators use it. It returns facts, and never says that a document is forged.
"""
