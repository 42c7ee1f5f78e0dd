"""The document store: files are written atomically, and checked against their hash when read.

Apps call it with a file of a FileField. It decides nothing about cases.
"""
