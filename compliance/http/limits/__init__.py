"""How much somebody may send: requests of an address, sizes of bodies, and quotas of a day.

Middleware, the embedded server and the apps call it. It knows no app: these register their keys and links.
"""
