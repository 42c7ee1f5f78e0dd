"""A person's own e-mail address: the page on which they change it, and the link that confirms it.

An administrator may ask for the change of a colleague's address, too. Then the colleague opens the
link while logged in, so that nobody takes over an account by an address of their own.
"""
