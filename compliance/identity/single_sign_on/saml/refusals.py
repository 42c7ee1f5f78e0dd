"""Why a response of the provider is refused."""

from __future__ import annotations


class ResponseError(Exception):
    """The text is our own: it is logged, and has nothing of the response."""
