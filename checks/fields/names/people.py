"""Names of people: first and last name in either order, with initials, titles and further names."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz import fuzz

from checks.fields.names.companies import NameMatch
from checks.text.folding import folded

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


def attested_person(attested: Mapping[str, object]) -> str:
    parts: list[str] = []
    for key in ("first_name", "middle_name", "last_name"):
        part = attested.get(key)
        if part:
            parts.append(str(part).strip())
    return " ".join(parts)


def _words(name: object) -> list[str]:
    return folded(str(name or "")).split()


def compare_people(attested: Mapping[str, object], extracted: str) -> NameMatch:
    """Equal if first and last name are among the words, close if the first name is only an
    initial.
    """
    words = []
    for word in folded(extracted).split():
        if word not in TITLES:
            words.append(word)
    first = _words(attested.get("first_name"))
    last = _words(attested.get("last_name"))
    # The order of the words does not matter, and further names of the document do not contradict.
    if first and last and set(last) <= set(words):
        if set(first) <= set(words):
            return NameMatch("equal", "first and last name stand in it")
        initial = first[0][0]
        if initial in words:
            return NameMatch("close", "same last name; the first name is an initial")
    name = " ".join(first + last)
    score = fuzz.token_sort_ratio(name, " ".join(words))
    if score >= 85:
        return NameMatch("close", f"similar names ({score:.0f} of 100)")
    return NameMatch("differs", f"different names (likeness {score:.0f} of 100)")
