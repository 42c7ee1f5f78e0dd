"""Patterns of the words of lists of owners, in many languages, from `ownership_words.csv`."""

from __future__ import annotations

import re
from functools import cache

from checks.data import table


@cache
def at_start(kind: str) -> re.Pattern[str]:
    """One of these words at the start of a line."""
    return re.compile(rf"^\W*(?:{_alternatives(kind)})(?!\w)", re.IGNORECASE)


@cache
def within(kind: str) -> re.Pattern[str]:
    """One of these as a whole word."""
    return re.compile(rf"(?<!\w)(?:{_alternatives(kind)})(?!\w)", re.IGNORECASE)


@cache
def anywhere(kind: str) -> re.Pattern[str]:
    """One of these, within a word, too."""
    return re.compile(_alternatives(kind), re.IGNORECASE)


@cache
def at_end(*kinds: str) -> re.Pattern[str]:
    """One of these as a whole word, with all that follows."""
    words = "|".join(_alternatives(kind) for kind in kinds)
    return re.compile(rf",?\s+(?:{words})(?!\w).*$", re.IGNORECASE)


@cache
def whole(kind: str) -> re.Pattern[str]:
    """A text that is one of these words."""
    return re.compile(_alternatives(kind), re.IGNORECASE)


@cache
def _alternatives(kind: str) -> str:
    rows = [row["words"] for row in table("ownership_words") if row["kind"] == kind]
    return "|".join(rows)
