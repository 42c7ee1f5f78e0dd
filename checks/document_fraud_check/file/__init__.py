"""Indicators from the file: its metadata, earlier versions, digital signatures and contents.

`catalogue.py` lists them. Other indicators may use them. They never use indicators of the page or
of the content.
"""
