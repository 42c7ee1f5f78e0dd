"""Genuine forms that were filled in."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import pikepdf

from tests.checks.document_fraud_check.editing import (
    appended,
    drawn,
    font,
    free_place,
    plain,
    rewritten,
    words,
)
from tests.checks.document_fraud_check.genuine_kinds.notes import annotation, look


def form_filled(content: bytes) -> bytes:
    """A form that the issuer filled in."""
    place = free_place(content, 300, 20)

    def fill(pdf: pikepdf.Pdf) -> None:
        _form(pdf, place, "2024-00417", "Approved")

    return appended(
        plain(rewritten(content, lambda pdf: _form(pdf, place, "", ""))), fill
    )


def form_flattened(content: bytes) -> bytes:
    """Filled in, and made a part of the page."""
    x, y = free_place(content, 300, 20)

    def flatten(pdf: pikepdf.Pdf) -> None:
        del pdf.Root.AcroForm
        del pdf.pages[0].obj.Annots
        first, second = (
            words("2024-00417", x + 2, y + 4, size=9),
            words("Approved", x + 142, y + 4),
        )
        drawn(first + second)(pdf)

    return appended(form_filled(content), flatten)


def form_over_dots(content: bytes) -> bytes:
    """A filled field on white ground over the dots of the form."""
    x, y = free_place(content, 300, 20)
    return form_filled(rewritten(content, drawn(words("." * 24, x + 2, y + 4, size=9))))


def _form(pdf: pikepdf.Pdf, place: tuple[float, float], *values: str) -> None:
    left, bottom = place
    pdf.pages[0].obj.Annots = pikepdf.Array()
    for index, value in enumerate(values):
        x = left + 140 * index
        drawing = b"1 1 1 rg 0 0 120 14 re f 0 g " + words(value, 2, 2, size=9)
        annotation(
            pdf, "Widget", (x, bottom, x + 120, bottom + 14), FT=pikepdf.Name.Tx, T=pikepdf.String(f"f{index}"),
            V=pikepdf.String(value), DA=pikepdf.String("/Typed 9 Tf 0 g"),
            AP=pikepdf.Dictionary(N=look(pdf, drawing, 120, 14)),
        )  # fmt: skip
    pdf.Root.AcroForm = pikepdf.Dictionary(
        Fields=pikepdf.Array(list(pdf.pages[0].obj.Annots)),
        DR=pikepdf.Dictionary(Font=pikepdf.Dictionary(Typed=font())),
    )
