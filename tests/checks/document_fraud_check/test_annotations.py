"""Annotations of any kind that cover words of a page, and those that cover nothing."""

from __future__ import annotations

from typing import Any

import pikepdf
import pytest

from checks.base import Indicator
from checks.document_fraud_check.page import overlays
from checks.evidence import Evidence
from checks.samples.certificate import draw, invent
from tests.checks.document_fraud_check.editing import (
    place_of_word,
    rewritten,
    words,
)
from tests.checks.document_fraud_check.forged_kinds import OTHER, number_of
from tests.checks.document_fraud_check.genuine_kinds.notes import annotation, look
from tests.checks.documents import TODAY

PLAIN = draw(invent(21)).content
FIELD = {"T": pikepdf.String("field")}
# Every kind can have a look, which viewers draw: also one that is no mark of a reader.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "a highlighter": ("Highlight", {}),
    "a note": ("Text", {}),
    "a link": ("Link", {}),
    "a watermark": ("Watermark", {}),
    "a screen": ("Screen", {}),
    "an attached file": ("FileAttachment", {}),
    "a kind that nobody knows": ("Invented", {}),
    "a button": (
        "Widget",
        {"FT": pikepdf.Name.Btn, "Ff": 65536, **FIELD},
    ),
    "a field for a signature": ("Widget", {"FT": pikepdf.Name.Sig, **FIELD}),
    "a field without a value": ("Widget", {"FT": pikepdf.Name.Tx, **FIELD}),
}


def with_annotation(kind: str, *, drawing: bytes, shown: bool = True) -> bytes:
    """The certificate with an annotation over a number, which shows another one or none."""
    subtype, more = KINDS[kind]
    word = number_of(PLAIN)
    x0, y0, x1, y1 = place_of_word(PLAIN, word)
    width, height = x1 - x0 + 2, y1 - y0 + 4
    new = word.text.translate(OTHER)

    def edit(pdf: pikepdf.Pdf) -> None:
        stream = drawing % (b"0 0 %.2f %.2f re" % (width, height))
        if shown:
            stream += words(new, 1, 2, size=max(y1 - y0, 7))
        look_of_it = look(pdf, stream, width, height)
        place = (x0 - 1, y0 - 2, x1 + 1, y1 + 2)
        annotation(pdf, subtype, place, AP=pikepdf.Dictionary(N=look_of_it), **more)
        if subtype == "Widget":
            fields = pikepdf.Array(list(pdf.pages[0].obj.Annots))
            pdf.Root.AcroForm = pikepdf.Dictionary(Fields=fields)

    return rewritten(PLAIN, edit)


@pytest.mark.parametrize("kind", KINDS)
def test_an_annotation_of_any_kind_over_a_number_is_an_edit(kind: str):
    file = with_annotation(kind, drawing=b"1 g %s f 0 g ")

    finding = overlays.annotation_overlay(Evidence(file, today=TODAY))

    assert isinstance(finding, Indicator)
    assert finding.type == "RISK"
    assert finding.strong
    [change] = finding.changes
    assert number_of(PLAIN).text in change.before


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_around_a_number_is_nothing(kind: str):
    """A link has a frame, a field has one; the words of the page are still to be read."""
    file = with_annotation(kind, drawing=b"0 0 1 RG %s S ", shown=False)

    assert overlays.annotation_overlay(Evidence(file, today=TODAY)) is None
