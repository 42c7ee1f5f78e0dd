"""The common part of tools that read facts from a document and compare them with the attested data.

The packages of single checks use it. It knows the fields of the interface, but no kinds of
documents, and it opens no file.
"""
