"""Sessions: how they are stored, and what the browser's cookie contains.

Somebody who reads the database, or a copy of it, must not be able to act as a person who is logged in:
neither the key of a row nor its content is enough. The cookie carries the key with a signature of
SECRET_KEY, and the content is encrypted. Somebody who can write there must not be able to copy the content of
one session into another: it is signed for its own key.
"""
