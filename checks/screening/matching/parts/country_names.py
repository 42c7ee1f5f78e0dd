"""Names of countries within names of companies: Siemens Österreich is Siemens Austria, and the Central
Bank of the Islamic Republic of Iran that of Iran.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from checks.data import table
from checks.screening.romanisation import scripts
from papers import countries

Words = tuple[str, ...]
# What the phrases of companies make of this country.
_UNITED_STATES = ("usa",)


def has_another(text: str) -> bool:
    """Whether the text has a name of a country for which English has another one.

    With a slip in it the name is not known, so that such texts are also compared as they stand.
    """
    words = _words(text)
    return in_english(words) != list(words)


def in_english(words: Sequence[str]) -> list[str]:
    """Replace each name of a country, in its own languages and in those of the desk, by the usual
    English one. `words` are in lower case and in Latin letters.
    """
    short_names = _short_names()
    english: list[str] = []
    at = 0
    while at < len(words):
        longest = _longest().get(words[at], 0)
        size = min(longest, len(words) - at)
        while size and tuple(words[at : at + size]) not in short_names:
            size -= 1
        if size:
            english += short_names[tuple(words[at : at + size])]
            at += size
        else:
            english.append(words[at])
            at += 1
    return english


@cache
def _short_names() -> Mapping[Words, Words]:
    """The words of the English name by those of each other name."""
    codes: dict[Words, set[str]] = {}
    for code, name in countries.all_names():
        words = _words(name)
        if words and words not in _other_meanings():
            codes.setdefault(words, set()).add(code)
    short_names = {}
    for words, own in codes.items():
        if len(own) == 1:
            [code] = own
            short_names[words] = _english(code)
    for code in countries.NAMES:
        # The Republic of China and that of Korea are in the table of names.
        short_names.setdefault(("republic", "of", *_english(code)), _english(code))
    return short_names


@cache
def _longest() -> Mapping[str, int]:
    """The number of words of the longest name that begins with a word."""
    longest: dict[str, int] = {}
    for words in _short_names():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


def _english(code: str) -> Words:
    if code == "US":
        return _UNITED_STATES
    return _words(countries.name(code))


def _words(name: str) -> Words:
    """The words of a name in Latin letters; none of a name in another script."""
    cleaned = scripts.clean(name, person=False)
    if scripts.script_of(cleaned):
        return ()
    return tuple(scripts.latin(cleaned, "").split())


@cache
def _other_meanings() -> frozenset[Words]:
    """Names that are also a brand, a part of a country, a word or a name of people."""
    words = set()
    for row in table("company_words"):
        if row["kind"] == "no_country":
            words.add((row["word"],))
    return frozenset(words)
