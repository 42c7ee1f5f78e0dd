"""Shapes of requests and responses, and the OpenAPI document built from them.

The views call it. It reads and writes no row.
"""
