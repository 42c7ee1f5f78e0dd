"""Indicators from how a page looks: what lies over its text, its text layers, fonts and pictures.

`catalogue.py` lists them. They take pages and pictures from `facts.py`, and never open the file.
"""
