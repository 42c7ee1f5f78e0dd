"""Which passwords are refused, how they are hashed, and how long a link sets one.

Django and django-allauth call it by the settings. It asks no other machine, and logs nothing.
"""
