"""The document viewer of a case: tabs, the pages of one document, and optionally a second one
beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Q

from reviews import results
from reviews.models import Document, Page
from reviews.queue.highlights import Highlighter
from reviews.results import sheets
from reviews.results.kinds import Change, Comparison, Finding, Verdict
from reviews.results.word_diff import Segment, word_diff

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    DrawnPage = WithAnnotations[Page, "HasWords"]

ALONE = "none"  # value of `beside`: show an ID picture without its other side
# The default document beside a picture of an ID.
BESIDE = {
    Document.Kind.ID_FRONT: Document.Kind.ID_BACK,
    Document.Kind.ID_BACK: Document.Kind.ID_FRONT,
    Document.Kind.SELFIE: Document.Kind.ID_FRONT,
}


class HasWords(TypedDict):
    """What the viewer reads of a page instead of its words."""

    has_words: bool


@dataclass(frozen=True)
class Tab:
    """A document in the tabs of the viewer."""

    key: str  # hex id
    name: str
    kind: str
    verdict: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class Pane:
    """One document in the viewer: its pages, and the findings that may mark places on them."""

    document: Document
    parts: Sequence[results.Part]
    beside: Pane | None = None  # set on the second pane: the first pane
    words: Highlighter | None = None  # words of the search that led to the case

    @property
    def prefix(self) -> str:
        """Prefix of HTML ids in the second pane, because findings are numbered per document."""
        return "beside-" if self.beside else ""

    @cached_property
    def findings(self) -> list[Finding]:
        key = self.document.pk.hex
        findings: list[Finding] = []
        for part in self.parts:
            findings += part.places_on(key)
        return findings

    @cached_property
    def pages(self) -> list[DrawnPage]:
        if self.document.status != Document.Status.DRAWN:
            return []
        # Only with a search the page reads the words here. Else the browser asks for them later.
        pages = self.document.pages.annotate(has_words=~Q(words=[]))
        return list(pages if self.words else pages.defer("words"))

    @cached_property
    def sheets(self) -> list[sheets.Sheet]:
        return sheets.sheets(
            self.pages,
            self.findings,
            highlights=self._highlights,
            is_hit=self.words.has if self.words else None,
        )

    @property
    def pages_with_hits(self) -> list[int]:
        return [sheet.number for sheet in self.sheets if sheet.hits]

    @property
    def has_no_text(self) -> bool:
        """Whether all pages were drawn and none has words, as with a scan or a photograph.

        If pages are missing, `reason` is shown above the pages, and nothing is known about the
        missing ones.
        """
        return (
            bool(self.pages)
            and not self.document.reason
            and not any(page.has_words for page in self.pages)
        )

    def counterpart_of(self, row: Comparison) -> Comparison | None:
        """The comparison of the same field in this document, or None."""
        return self._fields.get(row.field)

    def _highlights(self, row: Finding) -> str:
        """The ref that is highlighted with a finding. In the second pane: the same finding in
        the first.
        """
        ref = f"{self.prefix}{row.ref}"
        if self.beside is None or isinstance(row, Change):
            return ref
        return self.beside.ref_by_subject.get(_subject(row), ref)

    @cached_property
    def ref_by_subject(self) -> dict[tuple[str, str], str]:
        """The ref of the first finding for each subject."""
        refs: dict[tuple[str, str], str] = {}
        for row in self.findings:
            refs.setdefault(_subject(row), row.ref)
        return refs

    @cached_property
    def _fields(self) -> Mapping[str, Comparison]:
        rows = {}
        for row in self.findings:
            if isinstance(row, Comparison):
                rows[row.field] = row
        return rows


def _subject(row: Finding) -> tuple[str, str]:
    """A key that is equal for findings on the same thing in different documents."""
    kind = type(row).__name__
    for name in ("field", "key", "indicator_id"):
        value = getattr(row, name, "")
        if value:
            return kind, str(value)
    return kind, row.name


def differing(row: Comparison, other: Comparison) -> Sequence[Segment]:
    """The words of the other document's field, marked where they differ from `row`."""
    _, differing_words = word_diff(row.extracted, other.extracted)
    return differing_words


@dataclass(frozen=True)
class Viewer:
    """The documents of a case, one of which is shown, optionally with a second one beside it."""

    documents: Sequence[Document]
    document: Document | None
    parts: Sequence[results.Part]
    checks: Sequence[results.Check]
    here: Mapping[str, str]  # the parameters in the address
    address: Callable[..., str]
    words: Highlighter | None = None  # words of the search that led to the case

    @cached_property
    def pane(self) -> Pane | None:
        if self.document is None:
            return None
        return Pane(self.document, self.parts, words=self.words)

    @cached_property
    def beside(self) -> Pane | None:
        chosen = self.here.get("beside", "")
        # The id may be written with or without hyphens.
        key = chosen.replace("-", "").lower()
        second = None if key else self.other_side
        for document in self.others:
            if document.pk.hex == key:
                second = document
        if second is None:
            return None
        return Pane(second, self.parts, beside=self.pane, words=self.words)

    @cached_property
    def other_side(self) -> Document | None:
        """The default second document: the other side of an ID, or the front of the ID for a
        selfie.
        """
        if self.document is None:
            return None
        kind = BESIDE.get(Document.Kind(self.document.kind))
        # If a side was uploaded again, the later one counts.
        for document in reversed(self.documents):
            if document.kind == kind:
                return document
        return None

    @cached_property
    def panes(self) -> list[Pane]:
        panes: list[Pane] = []
        for pane in (self.pane, self.beside):
            if pane:
                panes.append(pane)
        return panes

    @cached_property
    def drawn(self) -> str:
        """The documents shown and their status, so that a poll notices changes."""
        states = []
        for pane in self.panes:
            states.append(f"{pane.document.pk.hex}:{pane.document.status}")
        return " ".join(states)

    @cached_property
    def others(self) -> list[Document]:
        others: list[Document] = []
        for document in self.documents:
            if document != self.document:
                others.append(document)
        return others

    @cached_property
    def tabs(self) -> list[Tab]:
        """A tab for each document, with the worst verdict of the checks that examined it."""
        verdicts: dict[str, list[Verdict]] = {}
        for check in self.checks:
            for key in check.documents:
                verdicts.setdefault(key, []).append(check.verdict)
        tabs = []
        for document in self.documents:
            key = document.pk.hex
            kind = str(document.get_kind_display())
            is_broken = document.status == Document.Status.UNREADABLE or document.fault
            verdict = results.worst(verdicts.get(key, []))
            tab = Tab(
                key=key,
                name=document.file_name,
                kind=kind,
                verdict="error" if is_broken else verdict,
                href=self._href_of(document),
                is_current=document == self.document,
            )
            tabs.append(tab)
        return tabs

    def _href_of(self, document: Document) -> str:
        key = document.pk.hex
        if self.beside is None or not self.here.get("beside"):
            return self.address(doc=key)
        second = self.beside.document
        # Choosing the document that is already beside swaps the two.
        if document == second:
            return self.swapped
        return self.address(doc=key, beside=second.pk.hex)

    @property
    def swapped(self) -> str:
        """The address of the page with the two documents swapped."""
        first, second = self.panes
        here = first.document.pk.hex
        there = second.document.pk.hex
        return self.address(doc=there, beside=here)

    @cached_property
    def besides(self) -> list[tuple[Document, str, bool]]:
        """Documents that may be shown beside this one: the document, its address, whether it is
        shown.
        """
        if self.beside:
            current = self.beside.document
        else:
            current = None
        choices = []
        for other in self.others:
            choices.append((other, self._beside(other), other == current))
        return choices

    @cached_property
    def comparing(self) -> str:
        """The address that adds the next document beside this one, or removes the second one."""
        if self.document is None or not self.others:
            return ""
        if self.beside:
            # Without a document beside it, an ID would show its other side again.
            alone = ALONE if self.other_side else ""
            return self.address(**{**self.here, "beside": alone})
        if self.other_side:
            return self._beside(self.other_side)
        place = self.documents.index(self.document)
        # The first document follows the last.
        next_place = (place + 1) % len(self.documents)
        return self._beside(self.documents[next_place])

    def _beside(self, other: Document) -> str:
        if self.document:
            key = self.document.pk.hex
        else:
            key = ""
        params = {
            **self.here,
            "doc": key,
            "beside": other.pk.hex,
        }
        return self.address(**params)
