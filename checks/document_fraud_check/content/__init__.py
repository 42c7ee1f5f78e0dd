"""Indicators from the content: text, dates, numbers, officers, and the same document in other
cases.

`catalogue.py` lists them. They use facts of the evidence and never open the file.
"""
