"""Values that were typed on a finished page, in another font than its text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import reportlab
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.checks.documents import indicators_of

TEXT = (
    "The registrar of companies hereby certifies that this company",
    "is incorporated under the Companies Act as a limited company,",
    "that its registered office is in Leeds, and that the number of",
    "its shares is ten thousand, all of them of the ordinary class.",
    "The company was entered on",
    "in the register of companies of England and Wales, where the",
    "articles of the company can be read by anybody who asks for it.",
)
GAP = 4
FONTS = Path(reportlab.__file__).parent / "fonts"


def document(
    *, value: str = "24 May", typed: str = "", x: float = 195, font: str = "Courier"
) -> bytes:
    """A page of text, and words that were typed behind the gap at the end."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for number, words in enumerate(TEXT):
        canvas.setFont("Times-Roman", 11)
        line = f"{words} {value}" if number == GAP else words
        canvas.drawString(72, 700 - 20 * number, line)
    if typed:
        canvas.setFont(font, 11)
        canvas.drawString(x, 700 - 20 * GAP, typed)
    canvas.save()
    return buffer.getvalue()


def test_a_date_that_is_written_at_the_end_of_the_file_stands_in_its_line():
    result = indicators_of(document(value="", typed="24.05.2019"))["font_outlier"]

    assert result["type"] == "RISK"
    assert "24.05.2019" in result["description"]


def test_a_value_that_stands_alone_in_a_column_is_compared_with_the_lines_around():
    content = document(value="", typed="24.05.2019", x=280)

    assert "24.05.2019" in indicators_of(content)["font_outlier"]["description"]


def mixed(font: str) -> bytes:
    """A year whose last digit was written in another font."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for number, words in enumerate(TEXT):
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(72, 700 - 20 * number, words)
    text = canvas.beginText(195, 700 - 20 * GAP)
    text.setFont("Times-Roman", 11)
    text.textOut("24.05.201")
    text.setFont(font, 11)
    text.textOut("8")
    canvas.drawText(text)
    canvas.save()
    return buffer.getvalue()


def test_one_digit_of_a_number_in_another_font():
    result = indicators_of(mixed("Courier"))["font_outlier"]

    assert (result["type"], len(result["boxes"])) == ("RISK", 1)


@pytest.mark.parametrize(
    "genuine",
    [
        document(),
        document(value="24.05.2019"),
        # Another face of the same font.
        mixed("Times-Bold"),
        # A word of no value, as a name in a script that the font lacks.
        document(value="", typed="Karlsson"),
    ],
    ids=["words", "date", "bold", "name"],
)
def test_values_in_the_font_of_the_text_are_no_outliers(genuine):
    result = indicators_of(genuine).get("font_outlier", {"type": "INFO"})

    assert result["type"] == "INFO"


def test_a_code_in_a_font_of_its_own_is_no_outlier():
    """Its first part stands close to the text, and the next ones a little farther away."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for number, words in enumerate(TEXT):
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(72, 700 - 20 * number, words)
    canvas.setFont("Courier", 11)
    for number, part in enumerate(("7741", "9032", "5518")):
        canvas.drawString(198 + 36 * number, 700 - 20 * GAP, part)
    canvas.save()

    assert "font_outlier" not in indicators_of(buffer.getvalue())


def with_stamp(x: float, y: float, *words: str) -> bytes:
    """A page whose text is embedded, and words in a font that is not."""
    pdfmetrics.registerFont(TTFont("Vera", FONTS / "Vera.ttf"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Vera", 10)
    for number, line in enumerate(TEXT):
        canvas.drawString(72, 700 - 20 * number, line)
    canvas.setFont("Helvetica-Bold", 10)
    for number, line in enumerate(words):
        canvas.drawString(x, y - 12 * number, line)
    canvas.save()
    return buffer.getvalue()


def test_a_stamp_of_receipt_in_the_margin_is_no_risk():
    stamped = indicators_of(with_stamp(450, 800, "RECEIVED", "12 MAR 2026"))
    typed = indicators_of(with_stamp(222, 700 - 20 * GAP, "12 MAR 2026"))

    assert stamped["font_rare_unembedded"]["type"] == "INFO"
    assert typed["font_rare_unembedded"]["type"] == "RISK"
