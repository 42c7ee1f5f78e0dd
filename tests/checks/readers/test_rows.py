"""Tables that an engine for OCR read column by column are put into the order of their rows."""

from __future__ import annotations

import io

import pypdfium2 as pdfium
from PIL import ImageFilter

from checks.ein_document.extraction import EinDocumentExtraction
from checks.evidence import Evidence
from checks.fields.labels.pairs import find_pairs
from checks.fields.layout.cells import Cell
from checks.fields.layout.label_cells import label_of
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.text.rows import in_rows
from checks.text.words import Line, Page, Span, Text, Word
from papers.geometry import Box
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

SHAPE = 0.7
HEIGHT = 0.012
LETTER = 0.009


def line(x: float, y: float, text: str, *, from_right: bool = False) -> Line:
    """Words of one line from a place on, each as wide as its letters; from right to left, to it."""
    words = []
    for word in text.split():
        width = LETTER * len(word)
        left = x - width if from_right else x
        words.append(Word(word, Box(1, left, y, left + width, y + HEIGHT)))
        x = left - LETTER if from_right else left + width + LETTER
    return Line(tuple(words))


def column(x: float, *texts: str, top: float = 0.1, step: float = 0.03) -> list[Line]:
    return [line(x, top + row * step, text) for row, text in enumerate(texts) if text]


def texts(lines: list[Line]) -> list[str]:
    return [one.text for one in lines]


def test_labels_and_values_that_were_read_as_two_columns_stand_row_by_row():
    labels = column(0.1, "Company number", "Registered on", "Auditor's number")
    values = column(0.5, "4418820", "3 May 2019", "118204")

    assert texts(in_rows([labels, values], SHAPE)) == [
        "Company number 4418820",
        "Registered on 3 May 2019",
        "Auditor's number 118204",
    ]


def test_two_pairs_in_one_row_stay_in_it():
    first = column(0.05, "Number", "Form")
    values = column(0.3, "4418820 Registered", "Limited Status")
    last = column(0.75, "3 May 2019", "Active")

    assert texts(in_rows([first, values, last], SHAPE)) == [
        "Number 4418820 Registered 3 May 2019",
        "Form Limited Status Active",
    ]


def test_the_second_line_of_a_cell_follows_its_first():
    labels = column(0.1, "Name", "Registered office", step=0.05)
    values = [
        *column(0.5, "Alder Fen Boatbuilders and", "Chandlers Limited", step=0.018),
        line(0.5, 0.15, "4 Quay Street"),
    ]
    further = [*column(0.8, "Former", "name", step=0.018)]

    assert texts(in_rows([labels, values, further], SHAPE)) == [
        "Name Alder Fen Boatbuilders and Former",
        "Chandlers Limited",
        "name",
        "Registered office 4 Quay Street",
    ]


def test_a_cell_that_begins_above_its_label_is_read_behind_it():
    labels = column(0.1, "Number", "Registered on", top=0.1, step=0.06)
    values = [
        line(0.5, 0.1, "4418820"),
        *column(0.5, "Registered on", "3 May 2019", "10:05 AM", top=0.142, step=0.018),
    ]

    assert texts(in_rows([labels, values], SHAPE)) == [
        "Number 4418820",
        "Registered on",
        "Registered on",
        "3 May 2019",
        "10:05 AM",
    ]


def test_captions_above_their_values_are_read_cell_by_cell():
    left = [
        *column(0.1, "Name", "Alder Fen Limited", step=0.014),
        *column(0.1, "Number", "4418820", top=0.16, step=0.014),
    ]
    right = [
        *column(0.6, "Former name", "Reed Fen Limited", step=0.014),
        *column(0.6, "Registered on", "3 May 2019", top=0.16, step=0.014),
    ]

    rows = in_rows([left[:2], right[:2], left[2:], right[2:]], SHAPE)

    assert texts(rows) == [
        "Name",
        "Alder Fen Limited",
        "Former name",
        "Reed Fen Limited",
        "Number",
        "4418820",
        "Registered on",
        "3 May 2019",
    ]


def test_two_columns_of_running_text_stay_as_they_are():
    left = column(0.05, *["these words fill the whole left column"] * 6, step=0.02)
    right = column(0.55, *["and those words fill the whole right one"] * 6, step=0.02)

    assert in_rows([left, right], SHAPE) == [*left, *right]


def test_a_paragraph_beside_other_lines_is_not_cut():
    paragraph = column(0.05, *["these words fill the whole left column"] * 4, step=0.02)
    amounts = column(0.6, "Gas", "Water", "Total", step=0.02)

    assert texts(in_rows([paragraph, amounts], SHAPE))[:4] == texts(paragraph)


def test_a_table_from_right_to_left_begins_on_the_right():
    labels = [
        line(0.9, 0.1, "رقم التسجيل", from_right=True),
        line(0.9, 0.13, "تاريخ التأسيس", from_right=True),
    ]
    values = column(0.3, "4418820", "03/05/2019")

    assert texts(in_rows([values, labels], SHAPE)) == [
        "رقم التسجيل 4418820",
        "تاريخ التأسيس 03/05/2019",
    ]


def test_lines_of_one_block_stay_as_they_were_read():
    block = column(0.1, "CERTIFICATE", "of a company")

    assert in_rows([block], SHAPE) == block


TABLE = """# REGISTER OF COMPANIES
^ EXTRACT
Company name | ALDER FEN CHANDLERS LIMITED | |
Company number | 4418820 | Status | Registered
Date of incorporation | 3 May 2019 | Last return | 14 August 2026
Country | England and Wales | Next return | 14 August 2027

Officers | | |
Secretary | REEDMERE NOMINEES LIMITED | Company number | 1182044
Date of appointment | 9 June 2021 | Filing | 771204
"""


def scan_of(content: bytes) -> Evidence:
    document = pdfium.PdfDocument(content)
    picture = document[0].render(scale=170 / 72).to_pil().convert("L")
    picture = picture.rotate(0.7, fillcolor=255).filter(ImageFilter.GaussianBlur(0.5))
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=170)
    return evidence_of(out.getvalue())


def test_a_scanned_table_gives_the_company_its_own_number_and_date():
    text = MadeText("table", "extract", {}, LATIN, (50, 190, 340, 440), TABLE)
    evidence = scan_of(draw(text))

    outcome = IncorporationDocumentExtraction().run(evidence)

    data = outcome.payload["extraction_data"]
    assert data["business_registration_number"] == ["4418820"]
    assert data["incorporation_date"] == "2019-05-03"
    assert "Company number 4418820 Status Registered" in evidence.text.value


def read(text: str) -> Cell:
    """A cell as OCR read it."""
    words = tuple(
        Word(word, Box(1, 0.1, 0.1, 0.2, 0.11), source="OCR") for word in text.split()
    )
    return Cell(words, Span(0, len(text)), text)


def test_a_label_that_was_misread_is_one_and_another_word_is_not():
    assert label_of(read("Name of establlshment")) is not None
    assert label_of(read("Number of establishment")) is None


def fields_of(*lines: Line) -> list[tuple[str, str]]:
    pairs = find_pairs(Text([Page(1, 700.0, 1000.0, lines)]))
    return [(pair.field, pair.value) for pair in pairs]


def test_a_word_that_ends_the_cell_above_it_is_no_label():
    lines = (
        line(0.1, 0.1, "Type"),
        line(0.5, 0.1, "Private limited"),
        line(0.5, 0.114, "company"),
        line(0.1, 0.14, "Status"),
        line(0.5, 0.14, "Active"),
    )

    assert ("name", "Active") not in fields_of(*lines)


def test_a_value_with_a_label_on_its_left_does_not_belong_to_the_heading_below():
    lines = (
        line(0.1, 0.1, "Access code"),
        line(0.4, 0.1, "4471-8820-1163"),
        line(0.42, 0.13, "Company number"),
        line(0.1, 0.3, "Country"),
    )

    assert ("number", "4471-8820-1163") not in fields_of(*lines)


REGISTRATION = """HM Revenue & Customs |
# Certificate of Registration for Value Added Tax
VAT registration number | 457 0800 11
Registered name | Alder Fen Chandlers Limited
Address | 4 Quay Street, Kendal, LA9 4QT
Effective date of registration | 1 April 2015
Agent | Fen Valley Tax LLP, VAT number 276 9779 23
"""


def test_a_number_in_the_row_of_an_agent_is_not_the_holders():
    text = MadeText("vat", "tax", {}, LATIN, (50, 260), REGISTRATION)

    outcome = EinDocumentExtraction().run(evidence_of(draw(text)))

    data = outcome.payload["extraction_data"]
    assert data["business_registration_number"] == ["457080011"]
