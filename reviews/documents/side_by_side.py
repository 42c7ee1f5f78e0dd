"""The first pages of two documents side by side, with the words that differ.

For documents of one form: a finding names the other cases, this finds the documents in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from reviews.access import roles
from reviews.models import Document, Page
from reviews.results import sheets
from reviews.results.details import aligned_words
from reviews.results.sheets import Rectangle, Word

# Limits: cases that an address may name, documents to choose from, words of a page, rows.
MOST_CASES = 8
MOST_DOCUMENTS = 40
MOST_WORDS = 2_000
MOST_ROWS = 60


def visible(user: User | AnonymousUser) -> QuerySet[Document]:
    """The documents that the user may see, with their cases."""
    rows = Document.objects.select_related("case__connection")
    return roles.only_visible(user, rows, "case__connection")


def others(
    document: Document, references: Sequence[str], user: User | AnonymousUser
) -> list[Document]:
    """The drawn documents in these cases of the same connection that the user may see, those
    that are the most like `document` first.
    """
    connection = document.case.connection_id
    rows = visible(user).filter(
        status=Document.Status.DRAWN,
        case__connection=connection,
        case__reference__in=list(references)[:MOST_CASES],
    )
    rows = rows.exclude(case=document.case_id).order_by("-case_id", "pk")
    candidates = list(rows[:MOST_DOCUMENTS])
    pages = _first_pages([document, *candidates])
    first = _texts(pages.get(document.pk))
    others = []
    for other in candidates:
        likeness = aligned_words.similarity(first, _texts(pages.get(other.pk)))
        # Of a scan no words are known: then a document of the same kind comes first.
        others.append((likeness, other.kind == document.kind, other))
    # The sort keeps the newest case first among those that are as like.
    others.sort(key=lambda one: one[:2], reverse=True)
    return [other for _, _, other in others]


def _first_pages(documents: Sequence[Document]) -> dict[UUID, Page]:
    pages = Page.objects.filter(document__in=documents, number=1)
    return {page.document_id: page for page in pages}


def _words(page: Page | None) -> list[Word]:
    return sheets.words_of(page)[:MOST_WORDS] if page else []


def _texts(page: Page | None) -> list[str]:
    return [word.text for word in _words(page)]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two documents: its first page, and where the differing words are."""

    document: Document
    page: Page | None
    units: int  # the height of the page in SVG units
    marks: Sequence[Rectangle]
    has_words: bool


@dataclass(frozen=True)
class SideBySide:
    document: Document
    other: Document

    @cached_property
    def _pages(self) -> tuple[Page | None, Page | None]:
        pages = _first_pages([self.document, self.other])
        return pages.get(self.document.pk), pages.get(self.other.pk)

    @cached_property
    def _words(self) -> tuple[list[Word], list[Word]]:
        first, second = self._pages
        return _words(first), _words(second)

    @cached_property
    def _aligned(self) -> aligned_words.Alignment | None:
        """None if one of the pages has no words: then nothing can be compared."""
        first, second = self._words
        if not first or not second:
            return None
        left = [word.text for word in first]
        right = [word.text for word in second]
        return aligned_words.align(left, right)

    @property
    def is_compared(self) -> bool:
        return self._aligned is not None

    @property
    def sides(self) -> list[Side]:
        sides = []
        documents = (self.document, self.other)
        for place, document in enumerate(documents):
            page, words = self._pages[place], self._words[place]
            differing = []
            for stretch in self._aligned.stretches if self._aligned else ():
                differing += [words[index] for index in stretch[place]]
            side = Side(
                document=document,
                page=page,
                units=sheets.units(page) if page else 0,
                marks=sheets.places(page, differing) if page else (),
                has_words=bool(words),
            )
            sides.append(side)
        return sides

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What differs, in the order of the page: the words here, and the words there."""
        if self._aligned is None:
            return []
        first, second = self._words
        rows = []
        for stretch in self._aligned.stretches[:MOST_ROWS]:
            left = " ".join(first[index].text for index in stretch.left)
            right = " ".join(second[index].text for index in stretch.right)
            rows.append((left, right))
        return rows

    @property
    def not_shown(self) -> int:
        count = len(self._aligned.stretches) if self._aligned else 0
        return max(0, count - MOST_ROWS)

    @property
    def common(self) -> int:
        return self._aligned.common if self._aligned else 0

    @property
    def total(self) -> int:
        """The words of the longer page."""
        first, second = self._words
        return max(len(first), len(second))

    @property
    def common_numbers(self) -> list[str]:
        first, second = self._words
        left = [word.text for word in first]
        right = [word.text for word in second]
        return aligned_words.common_numbers(left, right)[:MOST_ROWS]
