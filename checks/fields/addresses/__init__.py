"""Postal addresses in the text of a document, with their roles and addressees.

Tools of extraction and data checks use it. It reads text only, and asks no map or register whether
an address exists.
"""
