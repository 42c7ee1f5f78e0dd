"""Postal addresses in the text of a document, with their roles and addressees.

Extraction tools and data checks use it. It only reads text: it never asks a map or a register
whether an address exists.
"""
