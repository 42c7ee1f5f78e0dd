"""What can be seen on a page: seals, handwriting, lines to sign on, barcodes, emblems.

Only the process that opens a document loads these modules: OpenCV is large.
"""
