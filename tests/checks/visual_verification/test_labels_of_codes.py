"""Codes and page numbers in the languages of the papers they stand on."""

from __future__ import annotations

import io

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from checks.visual_verification.codes import compared_codes
from checks.visual_verification.layout import layout
from tests.checks.documents import evidence_of, make_pdf

PAPER = "Harbour Handels GmbH, Handelsregisternummer HRB 123456"


def with_code(text: str) -> bytes:
    form_of_code = zxingcpp.barcode_format_from_str("QRCode")
    barcode = zxingcpp.create_barcode(text, form_of_code)
    image = np.array(zxingcpp.write_barcode_to_image(barcode, scale=8))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Roman", 11)
    canvas.drawString(72, 740, PAPER)
    picture = io.BytesIO()
    Image.fromarray(image).save(picture, "PNG")
    canvas.drawImage(ImageReader(picture), 72, 400, 200, 200)
    canvas.save()
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Firma: Harbour Handels GmbH\nHandelsregisternummer: HRB 123456", "agrees"),
        ("Firma: Andere Werke GmbH\nHandelsregisternummer: HRB 123456", "conflicts"),
        ("Firma: Harbour Handels GmbH; Handelsregisternummer: HRB 999999", "conflicts"),
        ("Denominaci\u00f3n social: Otra Casa SL", "conflicts"),
        # The letters of the paper are Latin, or only these were read.
        (
            "\u4f01\u4e1a\u540d\u79f0\uff1a\u957f\u6c5f\u8d38\u6613\u6709\u9650\u516c\u53f8",
            "not_compared",
        ),
        ("Datum: 01.02.2024", "not_compared"),
    ],
)
def test_the_labels_of_a_code_are_read_in_the_language_of_its_register(text, state):
    [code] = compared_codes(evidence_of(with_code(text)))

    assert code.state == state


@pytest.mark.parametrize(
    "line",
    ["Page {} of 4", "Seite {} von 4", "Page {} sur 4", "P\u00e1gina {} de 4", "Pagina {} di 4", "Pagina {} van 4", "Strona {} z 4", "Sayfa {} / 4", "Side {} af 4"],
)  # fmt: skip
def test_missing_pages_are_seen_in_the_language_of_the_paper(line):
    pages = [f"{line.format(number)}\n\n\nText" for number in (1, 2)]

    assert "numbered to 4" in layout(evidence_of(make_pdf(*pages))).analysis


def test_the_number_of_a_house_is_no_number_of_a_page():
    pages = ["ul. D\u0142uga, str. 5/7\n\n\nText", "str. 6/7\n\n\nText"]

    assert "numbered to" not in layout(evidence_of(make_pdf(*pages))).analysis
