"""Exceptions of the functions that change procedures."""

from __future__ import annotations

from reviews.versions.errors import RefusedError

__all__ = ["RefusedError", "StaleError"]


class StaleError(Exception):
    """The case has changed since the actor saw it."""
