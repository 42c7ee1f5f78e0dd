"""Backups of an installation: one encrypted file with the database, the documents and the anchors.

Management commands call it. It knows tables, files and settings, but no cases. It never writes a
key into a file.
"""
