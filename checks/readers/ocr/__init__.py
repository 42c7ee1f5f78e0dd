"""Words of a picture, recognised on this machine: Tesseract, and RapidOCR where it is installed.

Other modules use it as `readers.NAME`, because its libraries are large. It sends nothing to
another machine, and it does not decide what a word means.
"""
