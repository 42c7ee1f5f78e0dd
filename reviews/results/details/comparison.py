"""The desk's own comparison of attested and extracted values, for services that send none."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from papers.letters import SIGNS
from reviews.results.kinds import State
from reviews.results.reading import is_address, is_empty, items, number, obj, text
from reviews.wire import JsonObject

BY_DESK = "compared by the desk: the same but for case, spaces and punctuation"
# Extracted member → attested members that it may be compared with, besides the one of the same
# name.
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
    "holder_name": ("name", "registered_business_name", "business_name"),
    "tax_number": ("tin_number", "business_registration_number"),
}


def candidates(name: str, attested: JsonObject) -> list[object]:
    """The attested values that the extracted member `name` may equal, best first. Empty ones are
    left out.
    """
    fields = dict.fromkeys((*ATTESTED.get(name, ()), name))
    values = []
    for member in fields:
        # The name of a person is attested in parts.
        is_name = member == "name"
        value = attested.get(member)
        if is_name:
            value = _full_name(attested)
        if not is_empty(value):
            values.append(value)
    return values


def _full_name(attested: JsonObject) -> str:
    words: list[str] = []
    for member in ("first_name", "middle_name", "last_name"):
        words.extend(text(attested.get(member)).split())
    return " ".join(words)


def compare(attested: Sequence[object], extracted: object) -> tuple[State, object, str]:
    """Compares an extracted value with the attested ones.

    Returns the state, the attested value that the state refers to, and a sentence on how they were
    compared.
    """
    if not attested:
        return "not_attested", None, "not attested"
    if is_empty(extracted):
        return "cannot_compare", attested[0], "not read from the document"
    keys = _Keys.of(_values(extracted))
    if not keys:
        return "cannot_compare", attested[0], "has no letters or digits to compare"
    # One equal value is enough: a company may be attested under two names.
    for value in attested:
        if keys.has_equal(_Keys.of(_values(value))):
            return "equal", value, BY_DESK
    return (
        "differs",
        attested[0],
        "compared by the desk, ignoring case, spaces and punctuation",
    )


def _values(value: object) -> list[object]:
    """The items of a list. Any other value is returned as a list of one."""
    return items(value) or [value]


@dataclass
class _Keys:
    """What values are compared by. Two numbers are compared as numbers: without its point, 2.5 would
    be 25. A number and a text are compared by their digits.
    """

    numbers: set[float] = field(default_factory=set)
    of_numbers: set[str] = field(default_factory=set)
    of_texts: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, values: Iterable[object]) -> _Keys:
        keys = cls()
        for value in values:
            key = _key(value)
            if not key:
                continue
            as_number = number(value)
            if as_number is None:
                keys.of_texts.add(key)
            else:
                keys.of_numbers.add(key)
                keys.numbers.add(as_number)
        return keys

    def __bool__(self) -> bool:
        return bool(self.of_numbers or self.of_texts)

    def has_equal(self, other: _Keys) -> bool:
        return bool(
            self.numbers & other.numbers
            or self.of_texts & (other.of_texts | other.of_numbers)
            or self.of_numbers & other.of_texts
        )


def _key(value: object) -> str:
    """The letters and digits of a value, for comparison.

    Of an address, the country is left out: documents often omit it.
    """
    if is_address(value):
        members = obj(value)
        lines = []
        for name in ("street_1", "street_2", "city", "state", "postal_code"):
            line = members.get(name)
            lines.append(text(line))
        value = " ".join(lines)
    # A letter with an accent is one character or two, and both are the same letter.
    words = unicodedata.normalize("NFKC", text(value)).casefold()
    return "".join(filter(_counts, words))


def _counts(character: str) -> bool:
    """Whether it is a letter or a digit, or a vowel sign, as scripts of India and Thailand write vowels.

    Accents that remain, and the points of Arabic and Hebrew, are often left out.
    """
    return character.isalnum() or character in SIGNS
