"""Words that were made unseen and written anew, in ways that need no box in the colour of paper."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from reportlab.pdfgen.canvas import Canvas

from checks.base import Change, Indicator
from checks.document_fraud_check.page.overlays import text_covered
from tests.checks.documents import evidence_of, indicators_of

AT, LOW = 150.0, 688.0
Draw = Callable[[Canvas], None]


def number(canvas: Canvas) -> None:
    canvas.drawString(AT, LOW, "12345678")


def page(number_drawn: Draw, *, after: Draw | None = None) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(72, 760, "CERTIFICATE OF INCORPORATION")
    canvas.drawString(
        72, 736, "I hereby certify that QUILLHAVEN LIMITED is this day incorporated"
    )
    canvas.drawString(72, LOW, "Company No.")
    number_drawn(canvas)
    if after:
        after(canvas)
    canvas.save()
    return buffer.getvalue()


def retyped(canvas: Canvas) -> None:
    canvas.setFillGray(0)
    canvas.drawString(AT, LOW, "87654321")


def invisible(canvas: Canvas) -> None:
    text = canvas.beginText(AT, LOW)
    text.setTextRenderMode(3)
    text.textOut("12345678")
    text.setTextRenderMode(0)
    canvas.drawText(text)


def white(canvas: Canvas) -> None:
    canvas.setFillGray(1)
    number(canvas)


def letter_by_letter(canvas: Canvas) -> None:
    for place, letter in enumerate("12345678"):
        canvas.drawString(AT + 6 * place, LOW, letter)


def thick_line(canvas: Canvas) -> None:
    canvas.setStrokeGray(1)
    canvas.setLineWidth(14)
    canvas.line(AT - 1, LOW + 4, AT + 50, LOW + 4)
    retyped(canvas)


@pytest.mark.parametrize("hide", [invisible, white])
def test_a_number_made_invisible_and_written_anew_is_shown_before_and_after(hide):
    value = indicators_of(page(hide, after=retyped))["text_covered"]

    assert "“12345678” is hidden, “87654321” is shown" in value["description"]


@pytest.mark.parametrize("hide", [invisible, white])
def test_invisible_words_alone_or_repeated_accuse_nobody(hide):
    assert "text_covered" not in indicators_of(page(hide))
    assert "text_covered" not in indicators_of(page(hide, after=number))


def test_a_number_of_single_letters_under_a_thick_line_is_found_whole():
    value = indicators_of(page(letter_by_letter, after=thick_line))["text_covered"]

    assert "“12345678” is hidden" in value["description"]


def test_thin_lines_of_a_table_hide_nothing():
    def rule(canvas: Canvas) -> None:
        canvas.setStrokeGray(0.6)
        canvas.setLineWidth(0.8)
        canvas.line(AT - 1, LOW + 4, AT + 50, LOW + 4)

    assert "text_covered" not in indicators_of(page(letter_by_letter, after=rule))


def with_field(*, ground: bool) -> bytes:
    """A filled field of a form over the number, with a ground of its own or none."""
    box = Array([AT - 3, LOW - 4, AT + 60, LOW + 14])
    text = b"1 g 0 0 63 18 re f " if ground else b""
    with pikepdf.open(io.BytesIO(page(number))) as pdf:
        looks = pdf.make_stream(text + b"BT /F 12 Tf 0 g 3 4 Td (87654321) Tj ET")
        looks.Type, looks.Subtype, looks.BBox = (
            Name.XObject,
            Name.Form,
            Array([0, 0, 63, 18]),
        )
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Times-Roman")
        )
        looks.Resources = Dictionary(Font=Dictionary(F=font))
        field = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="number", V="87654321",
                DA="/F 12 Tf 0 g", Rect=box, F=4, AP=Dictionary(N=looks),
            )
        )  # fmt: skip
        pdf.pages[0].Annots = Array([field])
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]))
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


def test_a_field_of_a_form_that_blots_out_a_number_is_an_overlay():
    value = indicators_of(with_field(ground=True))["annotation_overlay"]

    assert value["type"] == "RISK"
    assert "Blotted out: “12345678”" in value["description"]


def test_a_field_that_hides_nothing_is_a_field():
    assert "annotation_overlay" not in indicators_of(with_field(ground=False))


def test_what_is_found_keeps_its_place():
    evidence = evidence_of(page(invisible, after=retyped))
    result = text_covered(evidence)

    assert isinstance(result, Indicator)
    [change] = result.changes
    assert isinstance(change, Change)
    [box] = change.boxes
    assert box.x0 == pytest.approx(AT / 595, abs=0.01)
    assert box.y1 == pytest.approx(1 - LOW / 842, abs=0.01)
