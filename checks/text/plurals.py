"""Numbers with the right singular or plural: "1 page has", "2 pages have"."""

from __future__ import annotations


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return the number with its noun. The default plural is the singular with an s."""
    noun = plural or f"{singular}s"
    if count == 1:
        noun = singular
    return f"{count:,} {noun}"
