"""Names in scripts that Inter lacks, in the PDFs of reports."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from contextlib import closing
from itertools import groupby

import pypdfium2
import pytest
from bidi import algorithm
from django.conf import settings
from reportlab.pdfbase import pdfmetrics

from papers.writing import letters, report

NAMES = ("محمد بن سلمان", "بیژن زنگنه", "רבקה כהן", "สมชาย ใจดี น้ำ", "प्रिया शर्मा")


@pytest.fixture(autouse=True)
def _fonts():
    report.register_fonts(settings.VENDORED_DIR)


def content_of(*story) -> bytes:
    return report.build(
        story, title="T", author="A", subject="S", foot=[report.paragraph("Foot")]
    )


def text_of(content: bytes) -> str:
    with closing(pypdfium2.PdfDocument(content)) as document:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def glyphs(text: str, font: str) -> list[int]:
    face = pdfmetrics.getFont(font).face
    letters.characters(font)
    return [face.charToGlyph[ord(char)] for char in letters.shaped(text, font, 9)]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_no_box_and_its_words_are_found(name):
    assert not report.lacks_letters(name)
    assert report.MISSING not in report.markup(name)
    cell = report.cell(name, report.BODY, 200)
    rows = report.table([[report.cell("Name", report.BODY, 200), cell]], [200, 200])
    text = text_of(content_of(report.paragraph(f"Case report: {name}"), rows))
    for word in name.split():
        assert text.count(word) >= 2, word


@pytest.mark.parametrize(
    ("script", "text"),
    [("Arabic", "محمد"), ("Hebrew", "רבקה"), ("Thai", "น้ำ"), ("Devanagari", "प्रिया")],
)
def test_each_letter_has_a_glyph(script, text):
    letters.characters(script)
    assert 0 not in glyphs(text, script)


def test_arabic_letters_are_joined():
    # The joined forms of meem, hah, meem and dal, as they stand from left to right.
    letters.characters("Arabic")
    face = pdfmetrics.getFont("Arabic").face
    joined = [face.charToGlyph[code] for code in (0xFEAA, 0xFEE4, 0xFEA4, 0xFEE3)]
    assert glyphs("محمد", "Arabic") == joined


def test_devanagari_signs_and_conjuncts_are_shaped():
    letters.characters("Devanagari")
    face = pdfmetrics.getFont("Devanagari").face
    first, *_ = glyphs("प्रि", "Devanagari")
    # The sign i is written before its letters, which are one glyph; some fonts have forms of it.
    assert first != face.charToGlyph[ord("प")]
    assert len(glyphs("प्रि", "Devanagari")) < len("प्रि")


def line_of(text: str) -> list[str]:
    """The words of a paragraph of one line, from left to right, each in the order of reading."""
    paragraph = report.paragraph(text)
    paragraph.wrap(500, 800)
    (line,) = paragraph.blPara.lines
    base = letters._base_level(text)
    return [run for _, run, _ in letters._visual(line.words, base) if run.strip()]


def test_words_stand_in_the_order_of_their_direction():
    assert line_of("Sent by محمد 12 (רבקה) to us") == [
        "Sent by ",
        ")",
        "רבקה",
        " (",
        "12",
        "محمد",
        " to us",
    ]


def test_most_words_decide_on_the_direction():
    assert line_of("محمد is 34 years old.") == ["محمد", " is 34 years old."]
    assert line_of("العميل من Halcyon في دبي")[-1].strip() == "العميل"


@pytest.mark.parametrize(
    ("text", "visual"),
    [
        ("محمد (Ali) 123", "123 (Ali) دمحم"),
        ("محمد (علي) Ltd", "Ltd (يلع) دمحم"),
        ("Ltd (محمد) of Ali", "Ltd (دمحم) of Ali"),
        ("محمد ((Ali) Ltd", "Ltd (Ali)) دمحم"),
        ("(Ali) محمد", "(Ali) دمحم"),
    ],
)
def test_a_pair_of_brackets_has_one_direction(text, visual):
    base = algorithm.get_base_level(text)
    levels = letters._levels(text, base)
    places = list(range(len(text)))
    for lowest in range(max(levels), 0, -1):
        ordered: list[int] = []
        for high, group in groupby(places, key=lambda at: levels[at] >= lowest):
            run = list(group)
            ordered += reversed(run) if high else run
        places = ordered
    shown = ""
    for at in places:
        shown += letters._mirrored(text[at]) if levels[at] % 2 else text[at]
    assert shown == visual


def test_a_joiner_within_a_name_is_no_box():
    name = "علی\u200cرضا"  # noqa: RUF001
    assert report.MISSING not in report.markup(name)
    assert unicodedata.normalize("NFC", name) in text_of(
        content_of(report.paragraph(name))
    )


def test_a_report_is_split_between_pages_and_drawn_again():
    long = report.paragraph("The customer محمد बिना สมชาย. " * 40)
    assert text_of(content_of(*[long] * 12)).count("محمد") == 480


def test_digits_of_arabic_go_from_left_to_right():
    assert "۱۲۳" in text_of(content_of(report.paragraph("علی ۱۲۳")))


def test_fonts_are_loaded_only_for_their_letters():
    code = (
        "import sys; from pathlib import Path; from papers.writing import report;"
        "report.register_fonts(Path(sys.argv[1])); report.paragraph('Acme 東京');"
        "from reportlab.pdfbase import pdfmetrics as p;"
        "print(sorted({'Arabic', 'Thai'} & set(p.getRegisteredFontNames())))"
    )
    command = [sys.executable, "-c", code, str(settings.VENDORED_DIR)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "text", ["\u0651", "\u093f \u0e49", "a\n\u05b0\n", "x\u200c\u0628(\u200d"]
)
def test_marks_without_letters_do_not_stop_a_report(text):
    assert content_of(report.paragraph(text, breaks=True))
