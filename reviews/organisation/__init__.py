"""The organisation that sends requests to applicants: its name, contact, colours and logo.

The pages and mails for applicants call it. It does not know about cases.
"""
