"""The rows that a list is searched by: words of its names, its numbers, and which names have which key.

Loads and new indexes of a list call it. It makes no version, and no version active.
"""
