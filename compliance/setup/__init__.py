"""The set-up page of a new installation: the first user, the service, and the lists.

It is open as long as nobody has an account, and needs the code that the terminal prints.
"""
