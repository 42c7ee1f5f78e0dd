"""How findings count: "1 page has", "2 pages have"."""

from __future__ import annotations


def counted(count: int, singular: str, plural: str = "") -> str:
    """The number with the words for one, or for any other number (`one` with an s)."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
