"""The first day of an installation: the first user, the service, and the lists, on one page.

It is open while nobody has an account, to whoever has the code that the terminal prints.
"""
