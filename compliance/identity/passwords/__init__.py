"""How passwords are hashed, and how long a link sets one.

Django and django-allauth call it by the settings. It knows no person and no page.
"""
