"""Attested against extracted: a word diff for the eye, and a plain comparison where none came."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reviews.results.kinds import Segment, State
from reviews.results.reading import is_address, items, obj, text

MAX_WORDS = 160
BY_DESK = "compared by the desk: the same but for case, spaces and punctuation"
# Which attested members an extracted one may be compared with, besides the one of its own name.
ATTESTED: Mapping[str, Sequence[str]] = {
    "business_name": ("registered_business_name", "business_name"),
    "company_name": ("registered_business_name", "business_name"),
    "business_address": ("address_of_incorporation", "address_of_operation", "address"),
    "business_registration_number": ("business_registration_number", "tin_number"),
    "ein": ("tin_number",),
    "business_activity": ("business_purpose", "description", "industry"),
    "full_name": ("name",),
    "account_holder": ("name", "registered_business_name", "business_name"),
    "account_holder_name": ("name", "registered_business_name", "business_name"),
    "individual_name": ("name",),
}


def word_diff(attested: str, extracted: str) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """Both texts in runs of words, marked where the other text has other words."""
    mine, theirs = attested.split(), extracted.split()
    if not mine or not theirs or len(mine) + len(theirs) > MAX_WORDS:
        return _whole(attested), _whole(extracted)
    one, other = [_bare(word) for word in mine], [_bare(word) for word in theirs]
    left: list[Segment] = []
    right: list[Segment] = []
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for kind, i0, i1, j0, j1 in matcher.get_opcodes():
        changed = kind != "equal"
        if i1 > i0:
            left.append(Segment(" ".join(mine[i0:i1]), changed))
        if j1 > j0:
            right.append(Segment(" ".join(theirs[j0:j1]), changed))
    return tuple(left), tuple(right)


def plain(value: str) -> tuple[Segment, ...]:
    return (Segment(value, changed=False),) if value else ()


def candidates(name: str, attested: Mapping[str, Any]) -> list[Any]:
    """What was attested about the extracted member `name`, best first, without empty values."""
    people = " ".join(
        text(attested.get(part)) for part in ("first_name", "middle_name", "last_name")
    ).split()
    known = {**attested, "name": " ".join(people)}
    found = [known.get(member) for member in dict.fromkeys((*ATTESTED.get(name, ()), name))]
    return [value for value in found if value not in (None, "", [], {})]


def compare(attested: Sequence[Any], extracted: Any) -> tuple[State, Any, str]:
    """The state, the attested value it was found with, and how it was compared."""
    if not attested:
        return "not_attested", None, "not attested"
    if extracted in (None, "", [], {}):
        return "cannot_compare", attested[0], "not read from the document"
    wanted = {key for value in _each(extracted) if (key := _key(value))}
    if not wanted:
        return "cannot_compare", attested[0], "has no letters or digits to compare"
    for value in attested:
        if any(_key(single) in wanted for single in _each(value)):
            return "equal", value, BY_DESK
    return "differs", attested[0], "compared by the desk, ignoring case, spaces and punctuation"


def _each(value: Any) -> Iterable[Any]:
    return items(value) or [value]


def _key(value: Any) -> str:
    """The letters and digits alone. Country and second line are often left out of addresses."""
    if is_address(value):
        kept = ("street_1", "street_2", "city", "state", "postal_code")
        value = " ".join(text(obj(value).get(name)) for name in kept)
    return re.sub(r"[\W_]+", "", text(value).casefold())


def _bare(word: str) -> str:
    return re.sub(r"[\W_]+", "", word.casefold()) or word


def _whole(value: str) -> tuple[Segment, ...]:
    return (Segment(value, changed=True),) if value else ()
