"""Compares an attested address with one of a document."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import fuzz

from checks.comparisons import State
from checks.data import table
from checks.fields import tunables
from checks.fields.addresses.postal import Address
from checks.text.characters import has_digit
from checks.text.folding import folded

# “3º”, “3ª”, “N°”: marks behind a number and a word, which would be read as letters.
ORDINAL_MARKS = str.maketrans("", "", "ºª°")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
# “12 A” is 12a. In “12 P 4” the letter stands for the floor.
NUMBER_AND_LETTER = re.compile(r"\b(\d+) ([a-z])\b(?! \d)")
# The letters of a country before its code: CH-8001.
CODE_OF_COUNTRY = re.compile(r"^[A-Z]{1,3}(?=\d{4,}$)")
BOX = "box"  # a post office box, in the table
# Words that one spelling of an address has and another has not.
LEFT_OUT = frozenset(
    {"cedex", "ul", "m", "no", "nr", "ул", "вул", "м", "буд", "дом", "д", "кв"}
)


def compare_addresses(attested: Address, extracted: Address) -> tuple[State, str]:
    """Return the state of a comparison and its reason.

    The postal code, the numbers of house and flat, and the likeness of the whole text decide. How the
    parts are divided does not count, because forms and documents divide them differently.
    """
    own_words, other_words = _words(attested), _words(extracted)
    likeness = fuzz.token_set_ratio(" ".join(own_words), " ".join(other_words))
    if not _has_same_code(attested, extracted):
        if likeness >= tunables.SAME_STREET:
            return "close", "same street, other postal code"
        return "differs", "different postal codes"
    if likeness < tunables.SIMILAR_ADDRESS:
        return "differs", f"different addresses (likeness {likeness:.0f} of 100)"
    numbers, other_numbers = _numbers(attested), _numbers(extracted)
    left, other = sorted(numbers - other_numbers), sorted(other_numbers - numbers)
    if left and other:
        return "differs", _other(left, other)
    if left or other:
        return "close", f"numbers on one side only: {', '.join(left or other)}"
    is_other = _has_other_street(set(own_words), set(other_words))
    if is_other or likeness < tunables.SAME_ADDRESS:
        return "close", f"similar addresses ({likeness:.0f} of 100)"
    return "equal", "same address"


def may_be_another(attested: Address, extracted: Address) -> bool:
    """Whether addresses that are equal or close may be two all the same, so that a person decides.

    That is so where the postal codes differ, where only one has a number, and where each has a word of its
    street that the other lacks: 5 North Street and 5 South Street, the left flat and the right one.
    """
    if not _has_same_code(attested, extracted):
        return True
    numbers, others = _numbers(attested), _numbers(extracted)
    if bool(numbers) != bool(others):
        return True
    own_words, other_words = _words(attested), _words(extracted)
    left = _street_words(attested) - set(other_words)
    right = _street_words(extracted) - set(own_words)
    if BEHIND_NUMBERS & (left | right):
        return True
    return bool(_without_alike(left, right) and _without_alike(right, left))


# They make a number another one: 12 and 12 bis.
BEHIND_NUMBERS = frozenset({"bis", "ter", "quater"})


def _street_words(address: Address) -> set[str]:
    words = _plain(f"{address.street_1} {address.street_2 or ''}")
    return {word for word in words if not has_digit(word)}


def _without_alike(words: set[str], others: set[str]) -> set[str]:
    """Return the words that are no short form or slip of any of the others."""
    return {word for word in words if not any(_are_alike(word, o) for o in others)}


def _are_alike(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    if _is_short_for(short, long):
        return True
    if len(short) < tunables.LONG_STREET_WORD:
        return False
    return fuzz.ratio(short, long) >= tunables.SLIP_OF_STREET


def _is_short_for(short: str, long: str) -> bool:
    """Whether the letters of the first stand in the other in their order, from its first: `blvd`."""
    if short[:1] != long[:1]:
        return False
    rest = iter(long)
    return all(letter in rest for letter in short)


def _other(left: list[str], other: list[str]) -> str:
    return f"other numbers of house or flat: {', '.join(left)}; {', '.join(other)}"


def _words(address: Address) -> list[str]:
    parts = (address.street_1, address.street_2 or "", address.city, address.state)
    return _plain(" ".join(parts))


def _has_other_street(left: set[str], other: set[str]) -> bool:
    """Whether one is a road and the other a street, or one alone is a post office box."""
    kinds = set(_short_words().values())
    only_own, only_other = (left - other) & kinds, (other - left) & kinds
    return bool(only_own and only_other) or BOX in only_own | only_other


def _has_same_code(attested: Address, extracted: Address) -> bool:
    """Whether no postal code contradicts the other. The end of one is often left out: of ZIP+4."""
    own, other = _plain_code(attested), _plain_code(extracted)
    if not own or not other or own == other:
        return True
    short, whole = sorted((own, other), key=len)
    return len(short) >= tunables.SHORT_CODE and whole.startswith(short)


def _plain_code(address: Address) -> str:
    code = re.sub(r"\W", "", address.postal_code).upper()
    return CODE_OF_COUNTRY.sub("", code)


def _numbers(address: Address) -> set[str]:
    """Return the numbers of house, floor and flat. The postal code may stand on the line of the street."""
    streets = f"{address.street_1} {address.street_2 or ''}"
    of_code = set(folded(address.postal_code).split()) | {_plain_code(address).lower()}
    numbers = set()
    for word in _plain(streets):
        is_number = has_digit(word) and not ORDINAL.fullmatch(word)
        if is_number and word not in of_code:
            numbers.add(word.lstrip("0"))
    return numbers - {""}


def _plain(text: str) -> list[str]:
    """Return the words with the usual short forms of streets and flats."""
    words = []
    plain = NUMBER_AND_LETTER.sub(_joined, folded(text.translate(ORDINAL_MARKS)))
    for word in plain.split():
        short = _short_words().get(word, word)
        for ending in _endings():
            if len(word) > len(ending) and word.endswith(ending):
                short = word.removesuffix(ending) + _short_words()[ending]
        if short not in LEFT_OUT:
            words.append(short)
    return words


def _joined(match: re.Match[str]) -> str:
    """Return the number with its letter. A letter that stands for a word is apart: 12 E Main Street."""
    is_word = match[2] in {*_short_words().values(), *LEFT_OUT}
    return match[0] if is_word else f"{match[1]}{match[2]}"


@cache
def _short_words() -> dict[str, str]:
    short_by_word = {}
    for row in table("street_words"):
        for word in row["words"].split("|"):
            short_by_word[word] = row["short"]
    return short_by_word


@cache
def _endings() -> list[str]:
    """The words that others end with: Hauptstrasse."""
    return [word for word, short in _short_words().items() if short in {"str", "g"}]
