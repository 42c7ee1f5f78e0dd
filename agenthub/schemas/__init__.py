"""What requests and answers look like, and the OpenAPI document made of it.

The views call it. It touches no row.
"""
