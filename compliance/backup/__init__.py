"""Backups of an installation: one encrypted file with the database, the documents and the anchors.

Its commands call it. It knows tables, files and settings, no cases; it never writes a key into a file.
"""
