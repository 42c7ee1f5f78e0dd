"""Text that is on a page and is not to be seen: something that was drawn later lies over it.

Whether a thing hides text is not judged by its kind or colour. The page is drawn with the text and
without it: where that makes no difference, the text cannot be seen. That holds for boxes, odd
shapes, pictures, shadings and patterns, whichever program drew them.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.geometry import Box, Rectangle
from checks.readers.pdf import bounds

Pixels = npt.NDArray[np.int16]

MAX_OBJECTS = 6_000
MAX_SUSPECTS = 300
MAX_SINGLE = 24
MAX_PIXELS = 2_000_000
DPI = 100
# Paper and what is printed in its colour cannot be seen in the first place.
PALE = 225
# A page that lies over all of the text is a scan over its text layer: that is another question.
WHOLE = 0.5
COVERED = 0.5
VISIBLE = 24
DARK = 110
SHOW, HIDE = True, False


@dataclass(frozen=True, slots=True)
class Hidden:
    """A piece of text that something drawn later hides; `dark`: under black, as one redacts."""

    text: str
    box: Box
    dark: bool


@dataclass(frozen=True, slots=True)
class _Drawn:
    order: int
    thing: pdfium.PdfObject
    rectangle: Rectangle
    is_text: bool
    # Is this a stretch of a longer text, as programs write whole lines in one piece?
    is_part: bool = False

    def covers(self, other: _Drawn) -> bool:
        return self.order > other.order and _shared(self.rectangle, other.rectangle) >= COVERED


def hidden_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Hidden text of the given pages (from 1); nothing where a page cannot be drawn."""
    found: list[Hidden] = []
    try:
        with closing(pdfium.PdfDocument(content)) as document:
            for number in pages:
                with closing(document[number - 1]) as page:
                    found += _of_page(page, number)
    except (pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError):
        return found
    return found


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    width, height = page.get_size()
    drawn = _drawn(page, width * height)
    suspects = _suspects(drawn)
    if not suspects or len(suspects) > MAX_SUSPECTS:
        return []
    canvas = _Canvas(page, width, height)
    hidden = list(_unseen(canvas, suspects, together=True))
    left = [one for one in suspects if one not in hidden][:MAX_SINGLE]
    # Of texts that lie over one another, taking all away tells nothing of each.
    tangled = [
        one
        for one in left
        if not one.is_part
        and any(_shared(o.rectangle, one.rectangle) for o in suspects if o is not one)
    ]
    hidden += [one for one in tangled if _unseen(canvas, [one], together=False)]
    with closing(page.get_textpage()) as textpage:
        return [found for one in hidden if (found := _report(textpage, canvas, one, number))]


def _drawn(page: pdfium.PdfPage, area: float) -> list[_Drawn]:
    found: list[_Drawn] = []
    for order, thing in enumerate(page.get_objects(max_depth=6)):
        if order >= MAX_OBJECTS:
            return []
        rectangle = _bounds(thing)
        if rectangle is None or thing.type == c.FPDF_PAGEOBJ_FORM:
            continue
        is_text = thing.type == c.FPDF_PAGEOBJ_TEXT
        large = (rectangle[2] - rectangle[0]) * (rectangle[3] - rectangle[1]) > WHOLE * area
        if large and thing.type == c.FPDF_PAGEOBJ_IMAGE:
            continue
        found.append(_Drawn(order, thing, rectangle, is_text))
    return found


def _suspects(drawn: Sequence[_Drawn]) -> list[_Drawn]:
    """Legible text with something but text over it."""
    covers = [one for one in drawn if not one.is_text and _is_filled(one.thing)]
    if not covers:
        return []
    first = covers[-1].order
    texts = [one for one in drawn if one.is_text and one.order < first and _is_legible(one.thing)]
    whole = [one for one in texts if any(cover.covers(one) for cover in covers)]
    parts = [part for one in texts if one not in whole for part in _parts(one, covers)]
    return whole + parts[: max(MAX_SUSPECTS - len(whole), 0)]


def _parts(text: _Drawn, covers: Sequence[_Drawn]) -> Iterator[_Drawn]:
    """The stretches of a line of text that have something over them, a letter wide at least."""
    left, bottom, right, top = text.rectangle
    for cover in covers:
        x0, x1 = max(left, cover.rectangle[0]), min(right, cover.rectangle[2])
        y0, y1 = max(bottom, cover.rectangle[1]), min(top, cover.rectangle[3])
        height = top - bottom
        if cover.order > text.order and y1 - y0 >= COVERED * height and x1 - x0 >= height / 2:
            yield replace(text, rectangle=(x0, y0, x1, y1), is_part=True)


def _is_filled(thing: pdfium.PdfObject) -> bool:
    if thing.type != c.FPDF_PAGEOBJ_PATH:
        return True
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(c.FPDFPath_GetDrawMode(thing.raw, fill, stroke)) and bool(fill.value)


def _is_legible(thing: pdfium.PdfObject) -> bool:
    if c.FPDFTextObj_GetTextRenderMode(thing.raw) in (3, 7):
        return False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not c.FPDFPageObj_GetFillColor(thing.raw, red, green, blue, alpha):
        return True
    return min(red.value, green.value, blue.value) < PALE and alpha.value > 64


def _bounds(thing: pdfium.PdfObject) -> Rectangle | None:
    """The bounds on the page, of what has an extent at all."""
    found = bounds(thing)
    if found is None:
        return None
    left, bottom, right, top = found
    return found if right > left and top > bottom else None


def _shared(one: Rectangle, other: Rectangle) -> float:
    """How much of `other` lies within `one`, 0 to 1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / ((other[2] - other[0]) * (other[3] - other[1]))


class _Canvas:
    """A page that is drawn again and again, and where its coordinates lie on the drawing."""

    def __init__(self, page: pdfium.PdfPage, width: float, height: float) -> None:
        self._page = page
        self._scale = min(DPI / 72, (MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
        self.whole = self.draw()

    def draw(self, *, annotations: bool = True) -> Pixels:
        rendered = self._page.render(
            scale=self._scale, may_draw_forms=False, draw_annots=annotations, grayscale=True
        )
        with closing(rendered) as bitmap:
            # A copy: the bitmap's memory goes with it.
            drawn = np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width)
            return drawn.astype(np.int16)

    def place(self, rectangle: Rectangle) -> tuple[slice, slice]:
        height, width = self.whole.shape[:2]
        xs, ys = [], []
        for x, y in ((rectangle[0], rectangle[1]), (rectangle[2], rectangle[3])):
            dx, dy = ctypes.c_int(), ctypes.c_int()
            c.FPDF_PageToDevice(self._page, 0, 0, width, height, 0, x, y, dx, dy)
            xs.append(min(max(dx.value, 0), width))
            ys.append(min(max(dy.value, 0), height))
        return slice(min(ys), max(ys) + 1), slice(min(xs), max(xs) + 1)

    def box(self, number: int, rectangle: Rectangle) -> Box:
        rows, columns = self.place(rectangle)
        height, width = self.whole.shape[:2]
        edges = columns.start / width, rows.start / height, columns.stop / width, rows.stop / height
        return Box(number, *(round(min(max(edge, 0.0), 1.0), 5) for edge in edges))


def _unseen(canvas: _Canvas, suspects: Sequence[_Drawn], *, together: bool) -> list[_Drawn]:
    """Those whose absence changes nothing where they stand."""
    for one in suspects:
        c.FPDFPageObj_SetIsActive(one.thing.raw, HIDE)
    try:
        without = canvas.draw()
    finally:
        for one in suspects:
            c.FPDFPageObj_SetIsActive(one.thing.raw, SHOW)
    difference = np.abs(canvas.whole - without)
    return [one for one in suspects if _is_same(difference[canvas.place(one.rectangle)])]


def _is_same(difference: Pixels) -> bool:
    return difference.size > 0 and float((difference > VISIBLE).mean()) < 0.004


def _report(
    textpage: pdfium.PdfTextPage, canvas: _Canvas, one: _Drawn, number: int
) -> Hidden | None:
    text = " ".join((_part_of if one.is_part else _all_of)(textpage, one).split())
    if sum(char.isalnum() for char in text) < 2:
        return None
    dark = float(np.median(canvas.whole[canvas.place(one.rectangle)])) < DARK
    return Hidden(text[:200], canvas.box(number, one.rectangle), dark)


def _all_of(textpage: pdfium.PdfTextPage, one: _Drawn) -> str:
    size = c.FPDFTextObj_GetText(one.thing.raw, textpage, None, 0)
    buffer = ctypes.create_string_buffer(max(size, 2))
    c.FPDFTextObj_GetText(
        one.thing.raw, textpage, ctypes.cast(buffer, ctypes.POINTER(c.FPDF_WCHAR)), size
    )
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")


def _part_of(textpage: pdfium.PdfTextPage, one: _Drawn) -> str:
    """The letters of this piece of text that stand within the part."""
    own = _address(one.thing.raw)
    x0, y0, x1, y1 = one.rectangle
    letters = []
    for index in range(textpage.count_chars()):
        if _address(c.FPDFText_GetTextObject(textpage, index)) != own:
            continue
        left, bottom, right, top = textpage.get_charbox(index)
        if x0 <= (left + right) / 2 <= x1 and y0 <= (bottom + top) / 2 <= y1:
            letters.append(chr(c.FPDFText_GetUnicode(textpage, index)))
    return "".join(letters)


def _address(thing: Any) -> int | None:
    return ctypes.cast(thing, ctypes.c_void_p).value


def erased_words(content: bytes, number: int, boxes: Sequence[Box]) -> list[bool]:
    """For each box of a word: do annotations blot it out, and leave paper or other words there?

    The page is drawn with its annotations and without them; a mark of a pen or a highlighter
    leaves the ink of the word where it is.
    """
    try:
        with (
            closing(pdfium.PdfDocument(content)) as document,
            closing(document[number - 1]) as page,
        ):
            width, height = page.get_size()
            canvas = _Canvas(page, width, height)
            bare = canvas.draw(annotations=False)
    except (pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError):
        return [False] * len(boxes)
    rows, columns = bare.shape
    return [
        _is_erased(bare[place], canvas.whole[place])
        for place in (
            (
                slice(int(box.y0 * rows), int(box.y1 * rows) + 1),
                slice(int(box.x0 * columns), int(box.x1 * columns) + 1),
            )
            for box in boxes
        )
    ]


def _is_erased(bare: Pixels, shown: Pixels) -> bool:
    ink = bare < PALE - 65
    if not ink.any() or float((shown < DARK).mean()) > 0.8:
        return False
    return float((shown[ink] > bare[ink] + VISIBLE).mean()) > 0.4
