"""Compares names in Cyrillic and Greek with their Latin spelling in a document.

A passport has the name in Latin letters by the rules of its state. They differ from state to state and changed
over the years, so each letter has several spellings, and a word agrees where one of them fits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from checks.data import table
from checks.text.folding import folded

WORD = re.compile(r"[^\W\d_]+")


def words_of(name: str) -> list[str]:
    """Return the words of a name, of which the letters of other scripts keep their marks: й is not и."""
    return WORD.findall(unicodedata.normalize("NFC", name.lower()))


def is_romanised(name: str, others: str) -> bool:
    """Whether each word of a name is among the words of another script, as states spell it in Latin."""
    words = words_of(name)
    rest = words_of(others)
    for word in words:
        same = next((other for other in rest if _is_same(word, other)), None)
        if same is None:
            return False
        rest.remove(same)
    return bool(words)


def _is_same(word: str, other: str) -> bool:
    if folded(word) == folded(other):
        return True
    return _fits(word, other) or _fits(other, word)


def _fits(word: str, latin: str) -> bool:
    """Whether the Latin word is a spelling of the word."""
    pattern = _pattern(word)
    return bool(pattern and pattern.fullmatch(folded(latin)))


@cache
def _letters() -> Mapping[str, str]:
    return {row["letters"]: f"(?:{row['latin']})" for row in table("romanisation")}


@cache
def _cut() -> re.Pattern[str]:
    # Several letters that are written as one stand before single ones.
    return re.compile("|".join(sorted(_letters(), key=len, reverse=True)))


def _pattern(word: str) -> re.Pattern[str] | None:
    """Return the spellings of a word as a pattern; None if a letter has none."""
    plain = "".join(_without_accents(word))
    parts: list[str] = []
    end = 0
    for match in _cut().finditer(plain):
        if match.start() != end:
            return None
        parts.append(_letters()[match[0]])
        end = match.end()
    if not parts or end != len(plain):
        return None
    return re.compile("".join(parts))


def _without_accents(word: str) -> Iterator[str]:
    """Yield the letters of a word. Greek ones lose their accents, which no spelling has."""
    for letter in word:
        if unicodedata.name(letter, "").startswith("GREEK"):
            yield unicodedata.normalize("NFD", letter)[0]
        else:
            yield letter
