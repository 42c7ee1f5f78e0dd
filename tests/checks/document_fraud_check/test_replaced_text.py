"""Numbers that a clip, a mask or a layer takes off the page, and others in their place."""

from __future__ import annotations

import io

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks.samples.tampering import Target, cut_out, typed_over_scan
from tests.checks.documents import indicators_of

OLD = "The company was entered in the register under number 20417733 in the year 2019."
LEFT, BASE = 72, 640


def page(line: str = OLD) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(LEFT, BASE + 40, "The registrar certifies what follows.")
    canvas.drawString(LEFT, BASE, line)
    canvas.save()
    return buffer.getvalue()


def typed(pdf: pikepdf.Pdf, text: str) -> bytes:
    """Write the text at the place of the number, at the end of the page."""
    start = LEFT + pdf_width(OLD[: OLD.index("2041")])
    pdf.pages[0].contents_add(
        f"q BT 0 g /F1 11 Tf {start:.2f} {BASE} Td ({text}) Tj ET Q".encode()
    )
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


def pdf_width(text: str) -> float:
    return Canvas(io.BytesIO()).stringWidth(text, "Helvetica", 11)


def hole() -> str:
    start = LEFT + pdf_width(OLD[: OLD.index("2041")])
    return f"{start - 1:.2f} {BASE - 4} {pdf_width('20417733') + 2:.2f} 15 re"


def clipped(text: str) -> bytes:
    with pikepdf.open(io.BytesIO(page())) as pdf:
        clip = f"q 0 0 {A4[0]} {A4[1]} re {hole()} W* n".encode()
        pdf.pages[0].contents_add(clip, prepend=True)
        pdf.pages[0].contents_add(b"Q")
        return typed(pdf, text)


def masked(text: str) -> bytes:
    with (
        pikepdf.open(io.BytesIO(page())) as pdf,
        pikepdf.open(io.BytesIO(page())) as source,
    ):
        form = pdf.copy_foreign(source.pages[0].as_form_xobject())
        form.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        light = pdf.make_stream(
            f"1 g 0 0 {A4[0]} {A4[1]} re f 0 g {hole()} f".encode(),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, *A4]),
            Group=Dictionary(S=Name.Transparency, CS=Name.DeviceGray),
        )
        resources = pdf.pages[0].resources
        resources.XObject = Dictionary(Whole=form)
        resources.ExtGState = Dictionary(
            Mask=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=light))
        )
        pdf.pages[0].Contents = pdf.make_stream(b"q /Mask gs /Whole Do Q")
        return typed(pdf, text)


@pytest.mark.parametrize("hide", [clipped, masked])
def test_a_number_that_is_cut_out_of_its_line_is_hidden(hide):
    result = indicators_of(hide("20419958"))["text_covered"]

    assert (result["type"], result["strong"]) == ("RISK", True)
    [change] = result["changes"]
    assert change["before"].startswith("2041773")
    assert change["after"] == "20419958"


@pytest.mark.parametrize("hide", [clipped, masked])
def test_the_same_number_written_again_changes_nothing(hide):
    assert "text_covered" not in indicators_of(hide("20417733"))


def test_a_number_that_can_still_be_seen_is_not_hidden():
    with pikepdf.open(io.BytesIO(page())) as pdf:
        content = typed(pdf, "20419958")

    assert "text_covered" not in indicators_of(content)


def test_words_of_two_languages_share_a_place():
    """A layer for each language has other words and the same numbers."""
    assert "text_covered" not in indicators_of(clipped("Nummer"))


def target() -> Target:
    start = LEFT + pdf_width(OLD[: OLD.index("2041")])
    place = (start, BASE - 1.0, start + pdf_width("20417733"), BASE + 9.0)
    return Target(page(), place, "20417733", "20419958")


def test_the_samples_of_both_ways_are_told():
    cut = indicators_of(cut_out(target()))["text_covered"]
    typed_on_scan = indicators_of(typed_over_scan(target()))["text_covered"]

    assert (cut["type"], cut["strong"]) == ("RISK", True)
    assert (typed_on_scan["type"], typed_on_scan["strong"]) == ("RISK", False)
