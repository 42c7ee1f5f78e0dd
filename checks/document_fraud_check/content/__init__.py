"""Indicators from what the document says: its text, dates, numbers, officers, and other cases.

`catalogue.py` lists them. They look at facts of the evidence, and never open the file.
"""
