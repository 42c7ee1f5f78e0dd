"""Names of people: written in either order, with initials, titles and further names between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rapidfuzz import fuzz

from checks.fields.names.companies import NameMatch, folded

TITLES = {
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "prof",
    "sir",
    "jr",
    "sr",
    "ii",
    "iii",
    "and",
}


def attested_person(attested: Mapping[str, Any]) -> str:
    parts = (attested.get(key) for key in ("first_name", "middle_name", "last_name"))
    return " ".join(str(part).strip() for part in parts if part)


def compare_people(attested: Mapping[str, Any], extracted: str) -> NameMatch:
    """Equal where first and last name stand in the words, close where one is an initial."""
    words = [word for word in folded(extracted).split() if word not in TITLES]
    first = folded(str(attested.get("first_name") or "")).split()
    last = folded(str(attested.get("last_name") or "")).split()
    if last and all(word in words for word in last):
        if first and all(word in words for word in first):
            return NameMatch("equal", "first and last name stand in it")
        if first and any(word == first[0][0] for word in words):
            return NameMatch("close", "same last name; the first name is an initial")
    score = fuzz.token_sort_ratio(" ".join([*first, *last]), " ".join(words))
    if score >= 85:
        return NameMatch("close", f"similar names ({score:.0f} of 100)")
    return NameMatch("differs", f"different names (likeness {score:.0f} of 100)")
