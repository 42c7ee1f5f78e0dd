"""Names of members of a payload, for people."""

from __future__ import annotations


def label(name: str) -> str:
    """A member's name as a person would write it."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
