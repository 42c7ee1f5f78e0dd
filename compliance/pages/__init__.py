"""What pages of all apps share: vendored assets, template context, admin classes.

Apps call it. It holds no page of its own.
"""
