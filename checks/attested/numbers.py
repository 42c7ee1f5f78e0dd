"""The ways in which people write the number of a company.

With the name of its register or the place: “KVK 33011433”, “552 100 554 RCS Paris”. With more around it:
the Hungarian tax number is the number of VAT, the kind of taxation and the county.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from checks.data import table
from checks.text.characters import (
    has_digit,
    only_digits,
    only_letters_and_digits,
    with_ascii_digits,
)
from checks.text.folding import folded

Sameness = Literal["equal", "close"]
# `same`: another way to write the number. `within`: the number of the company within another, such as
# that of VAT, which has check digits of its own.
Use = Literal["same", "within"]


@cache
def number_words() -> frozenset[str]:
    """Names of registers, of taxes and of numbers that stand before a number or behind it."""
    return frozenset(row["word"] for row in table("names_of_numbers"))


def spellings(number: str, country: str) -> Iterator[str]:
    """Yield the number as it was attested, then without what people write around it and within it."""
    yield number
    yield only_letters_and_digits(number)
    plain = _without_words(number, country)
    yield plain
    plain = only_letters_and_digits(plain).upper()
    yield plain
    yield from _forms(plain, country, "same")


def _without_words(number: str, country: str) -> str:
    """Return the number without the names of registers, the code of the country and a place behind."""
    words = re.split(r"[\s:]+", number)
    left_out = {*number_words(), country}
    kept: list[str] = []
    for word in words:
        is_place = bool(kept) and word.isalpha() and len(word) > len("AB")
        if _plain(word) not in left_out and not is_place:
            kept.append(word)
    if not kept:
        return ""
    first = kept[0]
    prefix = re.match(r"[^\W\d_]+", first)
    if prefix and has_digit(first) and _plain(prefix[0]) in left_out:
        kept[0] = first[prefix.end() :].lstrip("-.")
    return " ".join(kept)


def _plain(word: str) -> str:
    return only_letters_and_digits(folded(word)).upper()


def _forms(plain: str, country: str, use: Use) -> Iterator[str]:
    for line in table("number_forms"):
        if (line["country"], line["use"]) == (country, use):
            form = re.fullmatch(line["pattern"], plain, re.ASCII)
            if form:
                yield form[1]


def sameness(
    attested: Sequence[str], number: str, country: str = ""
) -> Sameness | None:
    """Return how one of the attested numbers agrees with another; None if none does.

    Registers print leading zeros, and people leave them out. A number without the letters of its
    register is close: HRA 12345 is another company than HRB 12345.
    """
    others = _compared(number, country)
    best: Sameness | None = None
    for candidate in attested:
        own = _compared(candidate, country)
        if own & others:
            return "equal"
        if _lacks_letters(candidate, number) or _lacks_letters(number, candidate):
            best = "close"
    return best


def _compared(number: str, country: str) -> set[str]:
    """Return the spellings of a number and the numbers within them, as they are compared."""
    compared = set()
    number = with_ascii_digits(number)
    for spelling in spellings(number, country):
        plain = only_letters_and_digits(spelling).upper()
        for form in (plain, *_forms(plain, country, "within")):
            compared.add(form.lstrip("0"))
    return compared - {""}


def _lacks_letters(number: str, other: str) -> bool:
    """Whether a number is another one without its letters."""
    plain = only_letters_and_digits(with_ascii_digits(number))
    if not plain.isdigit():
        return False
    digits = only_digits(with_ascii_digits(other))
    digits = digits.lstrip("0")
    return digits != "" and plain.lstrip("0") == digits
