"""Finds the words of a search in a text: to highlight them, and to show the line of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q

from reviews.models import SearchText
from reviews.models.search import forms
from reviews.queue import search

AROUND = 60  # characters of the text shown before and after a match
MOST_TEXTS = 200  # texts that are read for the excerpts of one page of the queue
_WORD = re.compile(r"\S+")


class Run(NamedTuple):
    text: str
    is_hit: bool


class Excerpt(NamedTuple):
    """Where a case contains the words.

    Either on a page of a document, or in the text that a service read from its documents; then
    `document` is empty and `page` is 0.
    """

    document: str  # id in hexadecimal
    page: int
    text: str


@dataclass(frozen=True)
class Highlighter:
    """The words of one search, in all forms in which the search finds them."""

    typed: Sequence[search.Term]
    near: Sequence[Sequence[str]]

    @classmethod
    def of(cls, text: str) -> Highlighter:
        typed = search.terms(text)
        return cls(typed, search.near(typed))

    def __bool__(self) -> bool:
        return bool(self.typed)

    @property
    def may_be_misspelt(self) -> bool:
        return any(term.may_be_misspelt for term in self.typed)

    def runs(self, text: str) -> list[Run]:
        """The text in pieces, of which the matches have `is_hit`."""
        runs = []
        end = 0
        for start, stop in self._places(text):
            if start > end:
                runs.append(Run(text[end:start], is_hit=False))
            runs.append(Run(text[start:stop], is_hit=True))
            end = stop
        if end < len(text):
            runs.append(Run(text[end:], is_hit=False))
        return runs

    def has(self, text: str) -> bool:
        return next(self._places(text), None) is not None

    def excerpts(self, case_ids: Sequence[int]) -> dict[int, Excerpt]:
        """For each case an excerpt from a page or a reading with one of the words, if there is
        one.
        """
        words: list[str] = []
        for term in self.typed:
            words += term.with_trigrams
        for spellings in self.near:
            words += spellings
        condition = Q()
        for word in words:
            condition |= Q(text__contains=word)
        if not (condition and case_ids):
            return {}
        rows = SearchText.objects.filter(condition, case__in=case_ids)
        rows = rows.exclude(page=None, is_reading=False).order_by("is_reading", "page")
        columns = ("case", "page__document", "page__number", "text")
        excerpts: dict[int, Excerpt] = {}
        for case_id, document, number, text in rows.values_list(*columns)[:MOST_TEXTS]:
            place = next(self._places(text), None)
            if place and case_id not in excerpts:
                key = document.hex if document else ""
                line = _around(text, *place)
                excerpts[case_id] = Excerpt(key, number or 0, line)
        return excerpts

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        lower = text.lower()
        # lower() may change the length of some scripts; positions would then be wrong.
        if len(lower) == len(text) and self._plain:
            yield from self._of_pattern(text, lower, self._plain)
            return
        for match in _WORD.finditer(text):
            if self._is_hit(match.group()):
                yield match.span()

    def _of_pattern(
        self, text: str, lower: str, pattern: re.Pattern[str]
    ) -> Iterator[tuple[int, int]]:
        """Matches of the typed text, and between them whole words that match in another form."""
        end = 0
        for match in pattern.finditer(lower):
            yield from self._whole_words(text, end, match.start())
            yield match.span()
            end = match.end()
        yield from self._whole_words(text, end, len(text))

    def _whole_words(
        self, text: str, start: int, stop: int
    ) -> Iterator[tuple[int, int]]:
        for match in _WORD.finditer(text, start, stop):
            if self._is_hit(match.group()):
                yield match.span()

    @cached_property
    def _plain(self) -> re.Pattern[str] | None:
        """A pattern of the typed words, longest first, so that a part does not hide the whole
        word.
        """
        words = sorted({term.word for term in self.typed}, key=len, reverse=True)
        if not words:
            return None
        return re.compile("|".join(map(re.escape, words)))

    @cached_property
    def _others(self) -> list[str]:
        words: list[str] = []
        for term in self.typed:
            words += term.forms
        for spellings in self.near:
            words += spellings
        return words

    def _is_hit(self, word: str) -> bool:
        spelled = forms.latin(word.lower())
        if any(other in spelled for other in self._others):
            return True
        if not forms.is_abjad(word):
            return False
        letters = forms.consonants(word)
        return f"{forms.EDGE}{letters}{forms.EDGE}" in self._others


def _around(text: str, start: int, stop: int) -> str:
    first = max(0, start - AROUND)
    last = min(len(text), stop + AROUND)
    before = "…" if first else ""
    if last < len(text):
        after = "…"
    else:
        after = ""
    words = " ".join(text[first:last].split())
    return f"{before}{words}{after}"
