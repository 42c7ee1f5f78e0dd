"""Attested and extracted values: a word diff for the page, and a plain comparison where the
service sends none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence

from reviews.results.kinds import Segment, State
from reviews.results.reading import is_address, is_empty, items, obj, text
from reviews.wire import JsonObject

MAX_WORDS = 160
NO_LETTERS = re.compile(r"[\W_]+")
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


def word_diff(
    attested: str, extracted: str
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """Both texts in runs of words, marked where the other text has other words."""
    left_words = attested.split()
    right_words = extracted.split()
    count = len(left_words) + len(right_words)
    if not left_words or not right_words or count > MAX_WORDS:
        return _changed(attested), _changed(extracted)
    left_keys = [_word_key(word) for word in left_words]
    right_keys = [_word_key(word) for word in right_words]
    left: list[Segment] = []
    right: list[Segment] = []
    # autojunk would pass over a word that is frequent in a long text.
    matcher = difflib.SequenceMatcher(
        None,
        left_keys,
        right_keys,
        autojunk=False,
    )
    for kind, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        changed = kind != "equal"
        left_run = " ".join(left_words[left_start:left_end])
        right_run = " ".join(right_words[right_start:right_end])
        if left_run:
            left.append(Segment(left_run, changed))
        if right_run:
            right.append(Segment(right_run, changed))
    return tuple(left), tuple(right)


def plain(value: str) -> tuple[Segment, ...]:
    if not value:
        return ()
    return (Segment(value, changed=False),)


def _changed(value: str) -> tuple[Segment, ...]:
    if not value:
        return ()
    return (Segment(value, changed=True),)


def candidates(name: str, attested: JsonObject) -> list[object]:
    """The attested values for the extracted member `name`, best first, without empty ones."""
    members = dict(attested)
    members["name"] = _full_name(attested)
    fields = dict.fromkeys((*ATTESTED.get(name, ()), name))
    values = []
    for field in fields:
        value = members.get(field)
        if not is_empty(value):
            values.append(value)
    return values


def _full_name(attested: JsonObject) -> str:
    words: list[str] = []
    for member in ("first_name", "middle_name", "last_name"):
        words.extend(text(attested.get(member)).split())
    return " ".join(words)


def compare(attested: Sequence[object], extracted: object) -> tuple[State, object, str]:
    """The state, the attested value that it is about, and how the two were compared."""
    if not attested:
        return "not_attested", None, "not attested"
    if is_empty(extracted):
        return "cannot_compare", attested[0], "not read from the document"
    keys = set(filter(None, map(_key, _values(extracted))))
    if not keys:
        return "cannot_compare", attested[0], "has no letters or digits to compare"
    for value in attested:
        if not keys.isdisjoint(map(_key, _values(value))):
            return "equal", value, BY_DESK
    return (
        "differs",
        attested[0],
        "compared by the desk, ignoring case, spaces and punctuation",
    )


def _values(value: object) -> list[object]:
    """The items of a list; any other value alone."""
    return items(value) or [value]


def _key(value: object) -> str:
    """The letters and digits alone. Country and second line are often left out of addresses."""
    if is_address(value):
        members = obj(value)
        lines = []
        for name in ("street_1", "street_2", "city", "state", "postal_code"):
            line = members.get(name)
            lines.append(text(line))
        value = " ".join(lines)
    words = text(value).casefold()
    return NO_LETTERS.sub("", words)


def _word_key(word: str) -> str:
    return NO_LETTERS.sub("", word.casefold()) or word
