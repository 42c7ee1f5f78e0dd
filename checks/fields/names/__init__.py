"""Names of companies and people in the text of a document, and whether two names are the same.

Tools of extraction and data checks use it. It compares an attested name with a document; names on
lists are compared by `checks/screening`.
"""
