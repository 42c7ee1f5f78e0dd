"""How findings count: "1 page has", "2 pages have"."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """The number with the words for one, or for any other number (`one` with an s)."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
