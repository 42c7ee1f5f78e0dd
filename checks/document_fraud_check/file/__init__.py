"""Indicators from the file: its metadata, earlier versions, digital signatures and contents.

`catalogue.py` lists them. Other indicators may use them; they never look at indicators of the page
or of the content.
"""
