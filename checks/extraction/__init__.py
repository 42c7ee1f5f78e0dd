"""What the tools share that read facts from a document and compare them with the attested data.

The folders of single checks use it. It knows the fields of the interface, but not the kind of a
document, and it opens no file.
"""
