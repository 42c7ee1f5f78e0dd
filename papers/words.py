"""The letters of a PDF page with their places, and the words that they are."""

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
from papers.geometry import Affine, Rectangle

MAX_GLYPHS = 30_000
MAX_WORDS = 6_000
# Code points that separate words although they are no ASCII blanks.
BLANKS = frozenset({0x7F, 0xA0, 0x3000, 0xFFFE, 0xFFFF, 0x2028, 0x2029})
LINE_ENDS = frozenset({0x0A, 0x0D})
GAPS = frozenset({" ", "\n"})

Word = list[Any]  # [text, x0, y0, x1, y1], fractions of the page as displayed


class Glyph(NamedTuple):
    """The letter of this number on its page, " " between words, or "\\n" where a line ends.

    Its rectangle is in PDF points.
    """

    number: int
    char: str
    rectangle: Rectangle


def glyphs(textpage: pdfium.PdfTextPage) -> Iterator[Glyph]:
    """The glyphs in reading order, each with the rectangle of its ink."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    for number, char in _chars(textpage):
        c.FPDFText_GetCharBox(textpage, number, left, right, bottom, top)
        yield Glyph(number, char, (left.value, bottom.value, right.value, top.value))


def loose_glyphs(textpage: pdfium.PdfTextPage) -> Iterator[Glyph]:
    """The glyphs in reading order, each as high as its line: for words that people select."""
    place = c.FS_RECTF()
    for number, char in _chars(textpage):
        if char in GAPS:
            yield Glyph(number, char, (0.0, 0.0, 0.0, 0.0))
        elif c.FPDFText_GetLooseCharBox(textpage, number, place):
            yield Glyph(number, char, (place.left, place.bottom, place.right, place.top))


def _chars(textpage: pdfium.PdfTextPage) -> Iterator[tuple[int, str]]:
    for number in range(min(textpage.count_chars(), MAX_GLYPHS)):
        code = c.FPDFText_GetUnicode(textpage, number)
        if code in LINE_ENDS:
            yield number, "\n"
        elif code <= 0x20 or code in BLANKS or code > 0x10FFFF or 0xD800 <= code < 0xE000:
            yield number, " "
        else:
            yield number, chr(code)


def words_of(page: pdfium.PdfPage) -> list[Word]:
    """The first words of a page with their boxes, in reading order; none where it has no text."""
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        return []  # a page without readable text is still a page to look at
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
    return [word for word in words if word[3] > word[1] and word[4] > word[2]]


def _word(letters: list[Glyph], transform: Affine) -> Word:
    lefts, bottoms, rights, tops = zip(*(letter.rectangle for letter in letters), strict=True)
    edges = transform.rectangle((min(lefts), min(bottoms), max(rights), max(tops)))
    text = "".join(letter.char for letter in letters)
    return [text, *(round(min(max(edge, 0.0), 1.0), 4) for edge in edges)]
