"""Passwords: which are refused, how they are hashed, and how long a link can set one.

Django and django-allauth call it through the settings. It contacts no other machine and logs
nothing.
"""
