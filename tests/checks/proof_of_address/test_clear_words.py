"""A value of a scan is given only where OCR read its words clearly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks import readers
from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.samples import good_certificate
from checks.text.words import Line, Recognised, Text, Word
from papers.geometry import Box
from tests.checks.readers.test_photographs import photograph

PAGE = readers.draw_page(good_certificate(3).content, 1, dpi=200)


def text_of(line: str, confidence: float) -> Text:
    """A line of OCR, with the confidence for its last word."""
    words = []
    for number, word in enumerate(line.split()):
        left = 0.1 + 0.05 * number
        box = Box(1, left, 0.2, left + 0.04, 0.22)
        words.append(Word(word, box, source="OCR", confidence=0.96))
    words[-1] = replace(words[-1], confidence=confidence)
    [page], _ = readers.read_pages(good_certificate(3).content, max_pages=1)
    return Text([replace(page, lines=(Line(tuple(words)),))])


def judge(line: str, confidence: float = 0.96) -> bool:
    text = text_of(line, confidence)
    whole = text.span_of([word for row in text.rows() for word, _ in row])
    assert whole is not None
    return is_clear(Evidence(), text, whole, line)


def test_a_word_of_which_ocr_was_not_sure_is_not_clear():
    assert judge("12 Mill Lane York")
    assert not judge("12 Mill Lane York", 0.6)


@pytest.mark.parametrize(
    "line",
    [
        "Lerchenfelder Giirtel 40",
        "12 StraRe",
        "Energia Sp. z 0.0.",
        "I'Abbaye 3",
        "Pinzgauer Stra&e 4",
        "8006 BOD@",
        "55 UB] Avenue",
        "Craven Mutual Bank pic",
        "llse Meier",
        "Molino Belforte S.r.1.",
        "Corticga do Montado",
        "lrina Petrova",
        "HOlDING LTD",
        "HilI Prairie",
        "StiIler Bau",
    ],
)
def test_letters_that_no_language_joins_are_not_clear(line):
    assert not judge(line)


@pytest.mark.parametrize(
    "line",
    [
        "27b McDonald Rise",
        "Fiona McIntyre",
        "Mcgowan Ltd",
        "MacInnes Ltd",
        "la Rosa S.L.",
        "Isle of Skye",
        "W1U 6TY London",
        "EX4 2QT",
        "de Vries B.V.",
        "Cork V94 X8K2",
        "AT&T",
        "Marks&Spencer",
    ],
)
def test_letters_of_names_and_codes_are_clear(line):
    assert judge(line)


def test_names_of_languages_with_long_vowels_are_clear():
    assert judge("Vakuutus Niinistö Riihimäki")
    assert not judge("Versicherung Miiller Giitersloh")


@pytest.mark.parametrize(
    "line", ["BlackRock PricewaterhouseCoopers", "Ikpeazu LinkedIn"]
)
def test_names_of_companies_with_capitals_within_are_clear(line):
    assert judge(line)


def line_with(reading: Recognised, word: str) -> tuple[Word, ...]:
    return next(
        line.words for line in reading.lines if word in line.text and line.words
    )


@pytest.mark.parametrize("picture", ["scan", "photograph"])
def test_the_words_of_a_line_are_read_again_where_they_stand(picture):
    pixels = PAGE if picture == "scan" else photograph("dark")
    reading = readers.recognise(pixels, page=1)
    words = line_with(reading, "Incorporation")

    assert reading.standing is not None
    readings = list(reading.standing.read_again(words))
    assert readings
    assert all("incorporation" in again.lower() for again in readings)


def test_a_word_that_the_picture_does_not_show_is_not_clear():
    reading = readers.recognise(PAGE, page=1)
    words = line_with(reading, "Incorporation")
    evidence = Evidence(_recognised={1: reading})
    other = tuple(replace(word, text="Dissolution") for word in words)
    [page], _ = readers.read_pages(good_certificate(3).content, max_pages=1)

    for own, is_right in ((words, True), (other, False)):
        text = Text([replace(page, lines=(Line(own),))])
        span = text.span_of(own)
        assert span is not None
        assert is_clear(evidence, text, span, None) is is_right
