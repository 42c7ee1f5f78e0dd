"""Readers of one kind of field each, shared by the document checks.

A reader that is not sure gives nothing: an empty field sends a person to the document, a wrong
one sends them astray.
"""
