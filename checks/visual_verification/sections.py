"""The sections of a visual inspection, each from the evidence alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from checks.base import boxes_to_wire
from checks.evidence import NOT_READ, Evidence
from checks.fields.of_document import type_of
from checks.geometry import Box
from checks.text import Page, Span, Word, phrase

NO_VISION = "not checked: this installation does not look at the pixels of a page"
MAX_WORDS = 3000
MIN_OVERLAPS = 3
# Registers print page numbers at the very edge; one of them off the page is no fault.
MIN_OFF = 3
AUTHENTICITY = (
    (
        "certification by the register",
        phrase(
            r"(?:do(?:es)? )?hereby certif(?:y|ies)|this is to certify|certifies that|given under my hand|in (?:witness|testimony) whereof|true and correct copy"
        ),
    ),
    (
        "a way to verify it",
        phrase(
            r"(?:may be|may|can be|to) verif(?:y|ied)[^.\n]{0,80}|authentication(?: number| code)?:? \w+|verification (?:code|number|id)"
        ),
    ),
    (
        "authentication by the register",
        phrase(
            r"authenticated by the registrar|digitally signed|electronically (?:signed|certified|issued)"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the inspection. `passed` is None where it could not be checked.

    On the wire `passed` is a boolean: a section that was not checked is sent as not passed, with
    `checked` false beside it, and does not count for the inspection as a whole.
    """

    analysis: str
    passed: bool | None
    boxes: Sequence[Box] = ()
    present: bool | None = None

    def to_wire(self) -> dict[str, Any]:
        wire: dict[str, Any] = {
            "analysis": self.analysis,
            "passed": bool(self.passed),
            "checked": self.passed is not None,
            "boxes": boxes_to_wire(self.boxes),
        }
        return wire if self.present is None else wire | {"present": self.present}


def classification(evidence: Evidence, expected: Collection[str]) -> Section:
    """Is it one of the kinds of document that were asked for?"""
    if not evidence.text.value.strip():
        return Section(NOT_READ, None)
    kind = evidence.once(type_of)
    if kind is None:
        return Section("Its words do not show what kind of document it is.", passed=False)
    boxes = evidence.text.boxes(kind.span)
    if kind.value.code in expected:
        return Section(
            f"It is {kind.value.name}, by its title and wording.", passed=True, boxes=boxes
        )
    return Section(
        f"It looks like {kind.value.name}, which was not asked for.", passed=False, boxes=boxes
    )


def seal(_: Evidence) -> Section:
    """A seal is a picture or a drawing, which only a look at the pixels can tell."""
    return Section(NO_VISION, None, present=False)


def signature(evidence: Evidence) -> Section:
    """A digital signature shows in the structure of the file; ink does not."""
    boxes = evidence.signature_boxes
    if evidence.structure.signatures:
        where = "in a field of the page" if boxes else "without a visible field"
        said = f"A digital signature is present {where}; it was not validated."
        return Section(said, passed=True, boxes=boxes, present=True)
    return Section(f"No digital signature. Ink: {NO_VISION}.", None, present=False)


def layout(evidence: Evidence) -> Section:
    """Pages, sizes, blanks, words that run off the page or into each other."""
    pages = evidence.pages
    if not pages:
        return Section("The pages could not be opened.", None)
    blank = [page.number for page in pages if page.is_blank]
    off = [word.box for page in pages for word in page.words if _runs_off(word.box)]
    overlaps = list(islice((box for page in pages for box in _overlaps(page)), 20))
    sizes = {(round(page.width), round(page.height)) for page in pages}
    notes = [f"{evidence.page_count} page(s)" + (", of different sizes" if len(sizes) > 1 else "")]
    notes += [f"blank pages: {', '.join(map(str, blank))}"] if blank else []
    notes += [f"{len(off)} words run off the page"] if off else []
    notes += [f"{len(overlaps)} words overlap others"] if overlaps else []
    notes.append(_density(pages))
    if evidence.unread_pages:
        notes.append(f"words of pages {', '.join(map(str, evidence.unread_pages))} {NOT_READ}")
    passed = len(blank) < len(pages) and len(off) < MIN_OFF and len(overlaps) < MIN_OVERLAPS
    return Section("; ".join(notes) + ".", passed, [*off[:20], *overlaps])


def _runs_off(box: Box) -> bool:
    """Boxes are cut at the page's edges: what lay beyond one has no size left."""
    return box.width <= 0 or box.height <= 0


def _density(pages: Sequence[Page]) -> str:
    words = [word for page in pages for word in page.words]
    if not words:
        return "no words to measure the layout by"
    left, right = min(w.box.x0 for w in words), 1 - max(w.box.x1 for w in words)
    return f"{len(words)} words, margins {left:.0%} left and {right:.0%} right"


def _overlaps(page: Page) -> Iterator[Box]:
    """Words of like size that stand on each other; a watermark is larger, and no such word."""
    words = sorted(page.words[:MAX_WORDS], key=lambda word: word.box.y0)
    for index, word in enumerate(words):
        for other in words[index + 1 :]:
            if other.box.y0 >= word.box.y1:
                break
            apart = other.box.x0 >= word.box.x1 or other.box.x1 <= word.box.x0
            if not apart and _collide(word, other):
                yield other.box


def _collide(word: Word, other: Word) -> bool:
    smaller = min(word.box.area, other.box.area)
    if smaller <= 0 or word.text == other.text:
        return False
    ratio = word.box.height / other.box.height
    letters = min(sum(map(str.isalnum, word.text)), sum(map(str.isalnum, other.text)))
    return 0.5 < ratio < 2 and letters >= 2 and word.box.overlap(other.box) > 0.5 * smaller


def authenticity(evidence: Evidence) -> Section:
    """The marks by which registers vouch for a document. They can be copied, and prove nothing."""
    if not evidence.text.value.strip():
        return Section(NOT_READ, None)
    found = [
        (label, match)
        for label, pattern in AUTHENTICITY
        if (match := pattern.search(evidence.text.value))
    ]
    boxes = [box for _, match in found for box in evidence.text.boxes(Span(*match.span()))]
    said = [label for label, _ in found]
    if evidence.structure.signatures:
        said.append("a digital signature (present, not validated)")
        boxes += evidence.signature_boxes
    if said:
        note = "These marks can be copied: they are no proof."
        return Section(f"It bears {', '.join(said)}. {note}", passed=True, boxes=boxes)
    kind = evidence.once(type_of)
    if kind and kind.value.code == "certificate_of_incorporation":
        return Section(
            "A certificate, but no words by which a register certifies it.", passed=False
        )
    return Section("not checked: it bears no mark of a register that could be looked at", None)
