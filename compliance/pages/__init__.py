"""Common parts of the pages of all apps: static assets, template context, admin base classes.

Apps call it. Apart from one page of personal settings it has no pages.
"""
