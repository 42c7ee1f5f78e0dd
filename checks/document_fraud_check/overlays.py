"""Indicators from what lies over the text of a page."""

from __future__ import annotations

from checks.document_fraud_check.rules import Finding, indicator
from checks.evidence import Evidence
from checks.text import Covered, CoverKind

DRAWN_ON = {"FreeText", "Stamp", "Redact", "Ink", "Square", "Polygon", "Circle", "Line"}


@indicator("RISK", "overlay", strong=True)
def text_covered(evidence: Evidence) -> Finding | None:
    """Text is hidden under a box in the colour of paper.

    A plain, opaque, light rectangle was drawn after the text that it lies on. That is how a word
    is painted out and another one written over it. The finding shows both.
    """
    return _covered(evidence, "fill", "a paper-coloured box")


@indicator("RISK", "overlay", strong=True)
def text_under_image(evidence: Evidence) -> Finding | None:
    """Text is hidden under a picture.

    An opaque picture that is smaller than half the page was placed over text. Pictures that let
    the text show through, as seals and signatures do, do not count.
    """
    return _covered(evidence, "image", "a picture")


def _covered(evidence: Evidence, kind: CoverKind, cover: str) -> Finding | None:
    found = [c for page in evidence.pages for c in page.covered if c.cover == kind]
    if not found:
        return None
    said = "; ".join(_sentence(covered) for covered in found[:3])
    return Finding(
        f"Text lies under {cover}: {said}.",
        [covered.box for covered in found],
        "\n".join(f"{covered.text} → {covered.shown}" for covered in found),
    )


def _sentence(covered: Covered) -> str:
    shown = f"“{covered.shown}” is shown" if covered.shown else "nothing is shown in its place"
    return f"page {covered.box.page}: “{covered.text}” is hidden, {shown}"


@indicator("RISK", "overlay")
def annotation_overlay(evidence: Evidence) -> Finding | None:
    """An annotation is drawn on the page.

    Text boxes, stamps and shapes of a PDF reader lie above the page and are no part of it. Over
    words they are a RISK, beside them an INFO.
    """
    drawn = [note for note in evidence.structure.annotations if note.subtype in DRAWN_ON]
    drawn = [note for note in drawn if note.page <= len(evidence.pages)]
    if not drawn:
        return None
    boxes = [evidence.pages[n.page - 1].transform.box(n.page, n.rectangle) for n in drawn]
    covering = sum(
        box.contains_centre_of(word.box)
        for box in boxes
        for word in evidence.pages[box.page - 1].words
    )
    kinds = ", ".join(sorted({note.subtype for note in drawn}))
    over = "over words of the page" if covering else "beside the words of the page"
    return Finding(
        f"{len(drawn)} annotation(s) ({kinds}) lie {over}.",
        boxes,
        "\n".join(note.contents for note in drawn if note.contents),
        type=None if covering else "INFO",
    )
