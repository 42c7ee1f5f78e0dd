"""Finds what is visible on a page: seals, handwriting, signature lines, barcodes, emblems.

Only the process that opens a document loads these modules, because OpenCV is large.
"""
