"""Documents about ownership, such as registers of shareholders: who owns a business, with which
shares.
"""
