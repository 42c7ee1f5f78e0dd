"""Who somebody is: passwords, second factors, single sign-on, sessions and invitations.

The pages and the flows are those of django-allauth. Here is what this installation decides.
"""
