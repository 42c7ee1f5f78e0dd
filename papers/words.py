"""Finds the letters and words of a PDF page, with their places."""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as c

from papers import pdf
from papers.geometry import Affine, Rectangle, within_page

MAX_GLYPHS = 30_000
MAX_WORDS = 6_000
# Further code points that separate words, besides the control characters and blanks of ASCII.
BLANKS = frozenset({0x7F, 0xA0, 0x3000, 0xFFFE, 0xFFFF, 0x2028, 0x2029})
LINE_ENDS = frozenset({0x0A, 0x0D})
GAPS = frozenset({" ", "\n"})

Word = list[Any]  # [text, x0, y0, x1, y1]; fractions of the displayed page


class Glyph(NamedTuple):
    """A letter, with its number on the page and its rectangle in PDF points.

    Between words `char` is " ", and at the end of a line "\\n".
    """

    number: int
    char: str
    rectangle: Rectangle


def glyphs(textpage: pdfium.PdfTextPage) -> Iterator[Glyph]:
    """The letters in reading order. Each rectangle is close around the ink of its letter."""
    # PDFium writes its answer into these four variables.
    left, right = ctypes.c_double(), ctypes.c_double()
    bottom, top = ctypes.c_double(), ctypes.c_double()
    for number, char in _chars(textpage):
        c.FPDFText_GetCharBox(textpage, number, left, right, bottom, top)
        yield Glyph(number, char, (left.value, bottom.value, right.value, top.value))


def loose_glyphs(textpage: pdfium.PdfTextPage) -> Iterator[Glyph]:
    """The letters in reading order, each as high as its line, for words that people can select."""
    place = c.FS_RECTF()
    for number, char in _chars(textpage):
        if char in GAPS:
            yield Glyph(number, char, (0.0, 0.0, 0.0, 0.0))
        elif c.FPDFText_GetLooseCharBox(textpage, number, place):
            yield Glyph(
                number, char, (place.left, place.bottom, place.right, place.top)
            )


def _chars(textpage: pdfium.PdfTextPage) -> Iterator[tuple[int, str]]:
    count = min(textpage.count_chars(), MAX_GLYPHS)
    for number in range(count):
        code = c.FPDFText_GetUnicode(textpage, number)
        if code in LINE_ENDS:
            yield number, "\n"
        elif _is_blank(code):
            yield number, " "
        else:
            yield number, chr(code)


def _is_blank(code: int) -> bool:
    # Damaged files contain surrogates and numbers beyond Unicode, which are no characters.
    is_character = code <= 0x10FFFF and not 0xD800 <= code < 0xE000
    return code <= 0x20 or code in BLANKS or not is_character


def words_of(page: pdfium.PdfPage) -> list[Word]:
    """The first words of a page with their boxes, in reading order. Empty if it has no text."""
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        # A page whose text cannot be read can still be shown.
        return []
    transform = pdf.transform(page)
    words: list[Word] = []
    letters: list[Glyph] = []
    with closing(textpage):
        for glyph in loose_glyphs(textpage):
            if glyph.char not in GAPS:
                letters.append(glyph)
                continue
            if letters:
                words.append(_word(letters, transform))
                letters = []
            if len(words) >= MAX_WORDS:
                break
        if letters:
            words.append(_word(letters, transform))
    # Leave out words outside the page: cutting them off at its edge left nothing.
    return [word for word in words if word[3] > word[1] and word[4] > word[2]]


def _word(letters: list[Glyph], transform: Affine) -> Word:
    text = ""
    x0, y0, x1, y1 = letters[0].rectangle
    for letter in letters:
        left, bottom, right, top = letter.rectangle
        text += letter.char
        x0, y0 = min(x0, left), min(y0, bottom)
        x1, y1 = max(x1, right), max(y1, top)
    edges = transform.rectangle((x0, y0, x1, y1))
    return [text, *(round(within_page(edge), 4) for edge in edges)]
