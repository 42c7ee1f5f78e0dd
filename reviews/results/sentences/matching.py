"""Finds the pattern of a sentence: which words are fixed, and which are values.

A pattern is a text with names in braces, such as "Signed by {who}.". A sentence fits it where the fixed
words are there in their order. Each is looked for from the left, as far as the longest text of the
catalogue: no text that a service sends makes that slow, as a regular expression could be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

PLACE = re.compile(r"\{([a-z]+)\d*\}")
_OPENING = ("“", "(“")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_NUMBERS = re.compile(r"\d+(?:, \d+)*")
_YEAR = re.compile(r"\S+")
_PERCENT = re.compile(r"-?\d[\d,]*(?:\.\d+)? ?%")
# What the value of a name looks like. The value of any other name is any text.
FORMS: Mapping[str, re.Pattern[str]] = {
    "day": _DAY,
    "count": _NUMBER,
    "numbers": _NUMBERS,
    "percent": _PERCENT,
    "year": _YEAR,
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a sentence: its place in the translation ("{day2}"), what it is, and how it was written."""

    place: str
    kind: str
    text: str
    is_quoted: bool


@dataclass(slots=True)
class Constants:
    """The texts of a catalogue without values, and how long the longest one is."""

    texts: set[str] = field(default_factory=set)
    longest: int = 0

    def add(self, text: str) -> None:
        self.texts.add(text)
        self.longest = max(self.longest, len(text))


@dataclass(frozen=True, slots=True)
class Pattern:
    text: str
    fixed: Sequence[str]
    places: Sequence[tuple[str, str]]  # "{day2}" and "day"

    def values(self, sentence: str, constants: Constants) -> list[Value] | None:
        """The values of a sentence that fits; None where it does not fit."""
        first, *others = self.fixed
        if not sentence.startswith(first) or not sentence.endswith(self.fixed[-1]):
            return None
        values: list[Value] = []
        start = len(first)
        before = first
        for number, ((place, kind), fixed) in enumerate(
            zip(self.places, others, strict=True), start=1
        ):
            if number == len(self.places):
                end = len(sentence) - len(fixed)
            else:
                end = self._end(sentence, start, fixed, constants)
            if end <= start:
                return None
            text = sentence[start:end]
            form = FORMS.get(kind)
            if form and not form.fullmatch(text):
                return None
            values.append(Value(place, kind, text, before.endswith(_OPENING)))
            start = end + len(fixed)
            before = fixed
        return values

    def _end(self, sentence: str, start: int, fixed: str, constants: Constants) -> int:
        """Where the value ends that begins at `start`, before these fixed words; -1 if there is none.

        A value that is a text of the catalogue may have the fixed words in it: "a certificate of
        incorporation" has the "of" of "This is {kind} of {name}.".
        """
        rest = sentence[start : len(sentence) - len(self.fixed[-1])]
        if rest in constants.texts:
            return -1
        best = end = sentence.find(fixed, start + 1)
        while 0 <= end - start <= constants.longest:
            if sentence[start:end] in constants.texts:
                best = end
            end = sentence.find(fixed, end + 1)
        return best


def compiled(text: str) -> Pattern:
    """The pattern of a text of the catalogue, which has at least one name in braces."""
    places = []
    for match in PLACE.finditer(text):
        places.append((match[0], match[1]))
    # A split at a group brings the groups, too: every second piece is fixed.
    fixed = PLACE.split(text)[::2]
    return Pattern(text, fixed, places)


class Catalogue:
    """Texts by how they begin or end, so that a sentence is compared with a few patterns."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(texts)
        self.constants = Constants()
        self._by_first_word: dict[str, list[Pattern]] = {}
        self._by_last_word: dict[str, list[Pattern]] = {}
        self._others: list[Pattern] = []
        # Of two patterns that fit, the one with more fixed words is meant.
        for text in sorted(self.texts, key=_length_of_fixed, reverse=True):
            if not PLACE.search(text):
                self.constants.add(text)
                continue
            pattern = compiled(text)
            first, has_first, _ = pattern.fixed[0].partition(" ")
            _, has_last, last = pattern.fixed[-1].rpartition(" ")
            if has_first:
                self._by_first_word.setdefault(first, []).append(pattern)
            elif has_last:
                self._by_last_word.setdefault(last, []).append(pattern)
            else:
                self._others.append(pattern)

    def find(self, sentence: str) -> tuple[str, list[Value]] | None:
        """The text of the catalogue that a sentence fits, and the values; None where there is none."""
        if sentence in self.constants.texts:
            return sentence, []
        first = sentence.partition(" ")[0]
        last = sentence.rpartition(" ")[2]
        best: tuple[str, list[Value]] | None = None
        for patterns in (
            self._by_first_word.get(first, ()),
            self._by_last_word.get(last, ()),
            self._others,
        ):
            match = _longest(patterns, sentence, self.constants)
            if match is None:
                continue
            length = _length_of_fixed(match[0])
            if best is None or length > _length_of_fixed(best[0]):
                best = match
        return best


def _longest(
    patterns: Iterable[Pattern], sentence: str, constants: Constants
) -> tuple[str, list[Value]] | None:
    """The first of these patterns that fits: they are in order, that with most fixed words first."""
    for pattern in patterns:
        values = pattern.values(sentence, constants)
        if values is not None:
            return pattern.text, values
    return None


def _length_of_fixed(text: str) -> int:
    return len(PLACE.sub("", text))
