"""OCR on this machine: Tesseract, and RapidOCR if it is installed.

Other modules use it as `readers.NAME`, because its libraries are large. It sends nothing to another
machine, and does not decide what a word means.
"""
