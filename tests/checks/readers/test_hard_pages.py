"""Pages that are hard to read for their make: rows of dots, thin columns, fields of forms."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from checks import readers
from checks.fields.registration_numbers import find_registration_numbers
from checks.identity_document.cells import decoded
from checks.samples import good_certificate
from checks.text.words import Line, Page, Source, Text, Word
from papers.geometry import Box
from tests.checks.documents import evidence_of, zone_pdf

# The passport of the examples in ICAO 9303.
ZONE = (
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
)
CHAPTERS = (
    ("General provisions", "-1-"), ("Voting and membership", "-2-"), ("Meetings of members", "-3-"),
    ("Place of meetings", "-4-"), ("Directors of the company", "-5-"), ("Officers", "-7-"),
    ("Amendment of these articles", "-10-"), ("Dissolution", "-11-"),
)  # fmt: skip


def contents() -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Roman", 12)
    for row, (chapter, page) in enumerate(CHAPTERS):
        at = 700 - 16 * row
        canvas.drawString(72, at, chapter)
        canvas.drawString(260, at, " .".join([""] * 35))
        canvas.drawRightString(530, at, page)
    canvas.save()
    return buffer.getvalue()


def test_dots_that_lead_to_a_page_are_no_letters_and_the_numbers_behind_them_are_read():
    result = readers.recognise(readers.draw_page(contents(), 1, dpi=200), page=1)

    read = [word.text for line in result.lines for word in line.words]
    assert {word for chapter, _ in CHAPTERS for word in chapter.split()} <= set(read)
    # A lone “-1-” may be doubted, and is then left out; nothing is read that nobody wrote.
    numbers = [word for word in read if word.startswith("-")]
    assert set(numbers) <= {page for _, page in CHAPTERS}
    assert {"-2-", "-3-", "-4-", "-5-", "-7-", "-10-"} <= set(numbers)
    [line] = [
        line for line in result.lines if line.text == "Amendment of these articles -10-"
    ]
    assert line.words[-1].box.x1 == pytest.approx(530 / 595, abs=0.005)
    assert line.words[-1].box.y1 == pytest.approx(1 - (700 - 16 * 6) / 842, abs=0.01)


def on_pattern(page: readers.Pixels) -> readers.Pixels:
    """The page on paper with a pattern of pale blue lines, as it is printed against copies."""
    height, width = page.shape[:2]
    down, across = np.mgrid[:height, :width].astype(np.float32)
    waves = np.sin((across + 60 * np.sin(down / 90)) / 7)
    waves += np.sin((down + 60 * np.sin(across / 110)) / 7)
    lines = np.abs(waves)[..., None] < 0.25
    paper = np.where(lines, (160, 185, 215), (244, 248, 242))
    return np.asarray(page / 255 * paper, np.uint8)


@pytest.mark.parametrize("turned", [0, 2])
def test_print_on_paper_with_a_pattern_is_read(turned):
    drawn = good_certificate(3).content
    page = np.rot90(on_pattern(readers.draw_page(drawn, 1, dpi=200)), turned)

    result = readers.recognise(np.ascontiguousarray(page), page=1)

    [layer], _ = readers.read_pages(drawn, max_pages=1)
    stated = {word.text for word in layer.words}
    read = {word.text for line in result.lines for word in line.words}
    # All but those around the seal.
    assert len(read & stated) > 0.85 * len(stated)
    assert "Incorporation" in read


def test_a_zone_on_paper_with_a_pattern_is_read():
    page = on_pattern(readers.draw_page(zone_pdf(*ZONE), 1, dpi=225))
    # At 150 dots per inch the lines of the pattern join the zone to what is around it.
    small = cv2.resize(page, None, fx=2 / 3, fy=2 / 3, interpolation=cv2.INTER_AREA)
    page = np.asarray(small, np.uint8)

    zones = [zone for cells in readers.read_cells(page) for zone in decoded(cells)]

    assert list(ZONE) in [zone.lines for zone in zones]


def form(**entries: object) -> bytes:
    """A page with one field, of which some entries are changed."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 700, "Company name:")
    canvas.acroForm.textfield(
        name="company", value="Marlstone Ltd", x=200, y=690, width=250, height=24
    )
    canvas.save()
    with pikepdf.open(buffer) as pdf:
        for key, value in entries.items():
            pdf.pages[0].Annots[0][f"/{key}"] = value
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize("flag", [2, 32, 32 | 64])
def test_the_value_of_a_hidden_field_is_no_word_of_the_page(flag):
    assert evidence_of(form(F=flag)).text.value == "Company name:\n\f"


def test_a_value_stands_on_the_side_that_its_field_says():
    left, right = (evidence_of(form(Q=side)).pages[0].words[-1].box for side in (0, 2))

    assert right.x1 == pytest.approx(450 / 595, abs=0.01)
    assert left.x1 < right.x0


def read_as(number: str, source: Source = "OCR") -> list[tuple[str, str]]:
    lines = (
        "Articles of Incorporation of",
        "MARLSTONE",
        number,
        "Secretary of State, Missouri",
    )
    words = (
        Line(
            tuple(
                Word(word, Box(1, 0, 0, 1, 1), source=source) for word in line.split()
            )
        )
        for line in lines
    )
    result = find_registration_numbers(Text([Page(1, 612, 792, tuple(words))]))
    return [(one.value.number, one.how) for one in result]


@pytest.mark.parametrize("pages", ["NO01705408", "NOO1705408", "NO001705408"])
def test_a_digit_that_ocr_took_for_a_letter_is_settled_by_the_form_of_the_register(
    pages,
):
    [(number, how)] = read_as(pages)

    assert number == "N001705408"
    assert pages in how


def test_a_number_in_the_form_of_its_register_needs_no_label():
    assert [number for number, _ in read_as("N001705408", "text layer")] == [
        "N001705408"
    ]


def test_letters_that_a_file_states_itself_are_not_mended():
    assert read_as("NO001705408", "text layer") == []


def test_what_may_be_two_numbers_is_none():
    # Ten digits of which one was seen twice, and it may be either of two.
    assert read_as("NI5O00O12345") == []
