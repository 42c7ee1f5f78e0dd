"""How findings count: "1 page has", "2 pages have"."""

from __future__ import annotations


def counted(count: int, singular: str, plural: str = "") -> str:
    """The number with the words for one, or for any other number (`one` with an s)."""
    noun = plural or f"{singular}s"
    if count == 1:
        noun = singular
    return f"{count:,} {noun}"
