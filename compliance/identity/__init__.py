"""Identity: passwords, second factors, single sign-on, sessions and invitations.

Pages and flows come from django-allauth. Here are the decisions of this installation.
"""
