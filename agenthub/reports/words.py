"""Names of payload members, for people."""

from __future__ import annotations


def label(name: str) -> str:
    """The member's name as a heading: "business_name" → "Business name"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
