"""The words of a document: where each stands on the page, how they form blocks, how they are counted.

Everything in `checks` may use it. It opens no file and knows no kind of document.
"""
