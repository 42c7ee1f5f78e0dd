"""A person's own e-mail address: the page on which they change it, and the link that confirms it.

Only `compliance.urls` imports from here. An administrator's changes do not pass here.
"""
