"""Compares names of China, Taiwan, Hong Kong and Korea in different romanisations.

`readings.compare` is the entry point for `alignment`, and `readings.keys` for the index. The other
modules have the syllables of one language each, with their spellings. Nothing here uses lists.
"""
