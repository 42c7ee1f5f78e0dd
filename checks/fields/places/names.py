"""Names of states and territories in a text, in English and in the languages of the state itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from checks.data import table
from checks.fields import tunables
from checks.text.words import Span
from papers import countries

WORD = re.compile(r"[^\W\d_]+")
# Names of a state that are also names of a part of another one, or of a person.
OF_SEVERAL = frozenset({"georgia", "guinea", "congo", "man", "korea"})


class Place(NamedTuple):
    """A name in a text. `code` is of ISO 3166, or has the part of a country behind it."""

    code: str
    span: Span


class _Name(NamedTuple):
    words: tuple[str, ...]
    code: str


@cache
def parents() -> dict[str, str]:
    """Return the code of the state to which a territory belongs, by the code of the territory."""
    codes = {}
    for row in table("states"):
        if row["parent"]:
            codes[row["code"]] = row["parent"]
    return codes


def state_names(text: str) -> Iterator[Place]:
    """Yield the names of states in the text, the longest at each place.

    “Guinea Ecuatorial” is not Guinea, and “New Jersey” is not Jersey. A name begins with a capital letter.
    """
    yield from _in_text(text, _names())


def towns(text: str) -> Iterator[Place]:
    """Yield the capitals and largest towns in the text, with the codes of their countries."""
    yield from _in_text(text, _towns())


def _in_text(text: str, names: Mapping[str, list[_Name]]) -> Iterator[Place]:
    matches = list(WORD.finditer(text))
    words = [_folded(match[0]) for match in matches]
    at = 0
    while at < len(words):
        name = _longest(words, at, names)
        if name is None:
            at += 1
            continue
        first, last = matches[at], matches[at + len(name.words) - 1]
        # Scripts without capitals have letters that are neither.
        if name.code and not first[0][0].islower():
            yield Place(name.code, Span(first.start(), last.end()))
        at += len(name.words)


def _longest(
    words: list[str], at: int, names: Mapping[str, list[_Name]]
) -> _Name | None:
    for name in names.get(words[at], ()):
        if tuple(words[at : at + len(name.words)]) == name.words:
            return name
    return None


def _folded(word: str) -> str:
    return countries.sort_key(word).replace("\u0131", "i")


def _split(name: str) -> tuple[str, ...]:
    return tuple(_folded(word) for word in WORD.findall(name))


@cache
def _names() -> dict[str, list[_Name]]:
    codes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for code, name in countries.all_names():
        codes[_split(name)].add(code)
    for row in table("states"):
        for name in row["names"].split("|"):
            codes[_split(name)] = {row["code"]}
    for row in table("jurisdictions"):
        codes.setdefault(_split(row["name"]), {row["code"]})
    for row in table("us_states"):
        # A name alone is often that of a town or a street: it only hides the shorter name in it.
        codes.setdefault(_split(row["name"]), {""})
    return _by_first_word(codes)


@cache
def _towns() -> dict[str, list[_Name]]:
    codes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row in table("states"):
        for name in row["towns"].split("|"):
            codes[_split(name)].add(row["code"])
    return _by_first_word(codes)


def _by_first_word(
    codes: Mapping[tuple[str, ...], set[str]],
) -> dict[str, list[_Name]]:
    """Return the names by their first words, the longest first. A name of two countries has no code."""
    names: dict[str, list[_Name]] = defaultdict(list)
    for words, of_name in codes.items():
        joined = " ".join(words)
        if len(joined) < tunables.LEAST_LETTERS_OF_STATE and joined.isascii():
            continue
        is_clear = len(of_name) == 1 and joined not in OF_SEVERAL
        code = next(iter(of_name)) if is_clear else ""
        names[words[0]].append(_Name(words, code))
    for several in names.values():
        several.sort(key=lambda name: len(name.words), reverse=True)
    return names
