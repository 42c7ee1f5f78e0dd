"""Parts of printed reports, read back from the PDF that they make."""

from __future__ import annotations

import re
from contextlib import closing

import pypdfium2
import pytest
from django.conf import settings
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm

from papers.words import words_of
from papers.writing import report


@pytest.fixture(autouse=True)
def _fonts():
    report.register_fonts(settings.VENDORED_DIR)


def test_a_long_foot_stays_below_its_line():
    foot = [report.paragraph("Foot " * 40, report.SMALL)]
    content = report.build(
        [report.paragraph("Text")], title="", author="", subject="", foot=foot
    )
    with closing(pypdfium2.PdfDocument(content)) as document:
        tops = [top for text, _, top, *_ in words_of(document[0]) if text == "Foot"]
    height = A4[1]
    assert len(tops) == 40
    assert min(tops) >= 1 - 16 * mm / height


def printed(*story) -> list[str]:
    """The text of each page."""
    content = report.build(
        story,
        title="Title",
        author="Author",
        subject="Subject",
        foot=[report.paragraph("Foot")],
    )
    with closing(pypdfium2.PdfDocument(content)) as document:
        texts = [page.get_textpage().get_text_bounded() for page in document]
    return [re.sub(r"\s+", " ", text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "Northwind & Sons <b>Ltd</b>",
        "Żółć Ελλάδα Москва",
        "東京 한국",
        "A → B ≠ C",
        "&amp;",
    ],
)
def test_a_text_of_any_origin_is_printed_as_it_is(text):
    assert text in printed(report.paragraph(text))[0]


def test_korean_has_a_font_of_its_own():
    # The Chinese one has no such letters.
    korean, chinese = report.KOREAN_FONT, report.EAST_ASIAN_FONT
    assert report.markup("한국 東京") == (
        f'<font name="{korean}">한국</font> <font name="{chinese}">東京</font>'
    )


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Żółć Москва 東京 한국 12-3", False),
        ("محمد", False),
        ("Ltd สมชาย", False),
        ("רבקה प्रिया", False),
        ("Ltd தமிழ்", True),
        ("🙂 \u202e", False),
    ],
)
def test_letters_that_no_font_has_are_known(text, lacks):
    assert report.lacks_letters(text) is lacks


def test_what_no_font_has_is_a_box_and_what_is_no_letter_a_space():
    assert report.markup("a\u0b95b\tc\x00") == "a\u25a1b c\u25a1"


def test_lines_stay_lines_only_where_that_is_wanted():
    assert report.markup("a\nb") == "a b"
    assert report.markup("a\nb", breaks=True) == "a<br/>b"


def test_an_endless_text_is_cut():
    assert report.markup("x" * 10, longest=4) == "xxx…"


def test_each_page_has_the_foot_and_its_number():
    rows = [[report.paragraph(f"Row {number}")] for number in range(80)]
    pages = printed(report.table(rows, [report.WIDTH]))
    assert len(pages) > 1
    for number, text in enumerate(pages, start=1):
        assert "Foot" in text
        assert f"Page {number} of {len(pages)}" in text


def test_the_head_of_a_table_stands_on_each_page():
    rows = [[report.paragraph("Head")], *[[report.paragraph("Row")] for _ in range(80)]]
    assert all(
        "Head" in text for text in printed(report.table(rows, [report.WIDTH], head=1))
    )


@pytest.mark.parametrize("text", ["W" * 10_000, "line\n" * 3_000])
def test_a_cell_is_never_taller_than_a_page(text):
    width = 80.0
    cell = report.cell(text, report.BODY, width)
    assert cell.wrap(width, 1e6)[1] <= report.TALLEST
