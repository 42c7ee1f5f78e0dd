"""Indicators from a page: what lies over its text, its text layers, fonts and pictures.

`catalogue.py` lists them. They get pages and pictures from `facts.py` and never open the file.
"""
