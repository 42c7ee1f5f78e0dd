"""A plain comparison of attested and extracted values, where the service sends none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reviews.results.kinds import State
from reviews.results.reading import is_address, is_empty, items, obj, text
from reviews.wire import JsonObject

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
