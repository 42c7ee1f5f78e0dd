"""The document store: files are written whole, and checked against their hash when they are read.

Apps call it with a FileField's file. It decides nothing about cases.
"""
