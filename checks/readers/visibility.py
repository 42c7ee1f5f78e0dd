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

from checks.readers.grounds import ground_of
from checks.readers.pdf import bounds
from papers import pdf
from papers.errors import UnreadableError
from papers.geometry import Box, Rectangle, enclosing

Pixels = npt.NDArray[np.int16]

MAX_OBJECTS = 6_000
MAX_SUSPECTS = 300
MAX_SINGLE = 24
MAX_PIXELS = 2_000_000
DPI = 100
# Paper and what is printed in its colour cannot be seen in the first place.
PALE = 225
COVERED = 0.5
VISIBLE = 24
DARK = 110
THICK = 4.0
# Of the width of the page: between two letters there is less than the one, between words the other.
SPACE, NEAR = 0.004, 0.02
SHOW, HIDE = True, False


@dataclass(frozen=True, slots=True)
class Hidden:
    """A piece of text that something drawn later hides; `dark`: under black, as one redacts;
    `invisible`: nothing lies over it but other text, and it is drawn so that it is not seen."""

    text: str
    box: Box
    dark: bool
    invisible: bool = False


@dataclass(frozen=True, slots=True)
class _Drawn:
    order: int
    thing: pdfium.PdfObject
    rectangle: Rectangle
    is_text: bool
    # Is this a stretch of a longer text, as programs write whole lines in one piece?
    is_part: bool = False
    # A picture of the page, over which everything else stands.
    is_ground: bool = False

    def covers(self, other: _Drawn) -> bool:
        return self.order > other.order and _shared(self.rectangle, other.rectangle) >= COVERED


def hidden_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Hidden text of the given pages (from 1); nothing where a page cannot be drawn."""
    found: list[Hidden] = []
    try:
        with closing(pdf.open_document(content)) as document:
            for number in pages:
                with closing(document[number - 1]) as page:
                    found += _of_page(page, number)
    except (UnreadableError, pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError):
        return found
    return found


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    width, height = page.get_size()
    drawn = _drawn(page)
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
        return _joined([_report(textpage, canvas, one, number) for one in hidden])


def _drawn(page: pdfium.PdfPage) -> list[_Drawn]:
    found: list[_Drawn] = []
    images: dict[int, Rectangle] = {}
    for order, thing in enumerate(page.get_objects(max_depth=6)):
        if order >= MAX_OBJECTS:
            return []
        rectangle = _bounds(thing)
        if rectangle is None or thing.type == c.FPDF_PAGEOBJ_FORM:
            continue
        is_text = thing.type == c.FPDF_PAGEOBJ_TEXT
        if thing.type == c.FPDF_PAGEOBJ_IMAGE:
            images[order] = rectangle
        found.append(_Drawn(order, thing, rectangle, is_text))
    grounds, _ = ground_of(images, page.get_bbox())
    return [replace(one, is_ground=one.order in grounds) for one in found]


def _suspects(drawn: Sequence[_Drawn]) -> list[_Drawn]:
    """Legible text with something but text over it, and illegible text with other text over it."""
    return [*_covered(drawn), *_retyped(drawn)]


def _retyped(drawn: Sequence[_Drawn]) -> list[_Drawn]:
    """Text that was made invisible, where other text stands at its place.

    Not on a page that is a picture: the text behind a scan is invisible, and stands on its words.
    """
    if any(one.is_ground for one in drawn):
        return []
    texts = [one for one in drawn if one.is_text]
    legible = [one for one in texts if _is_legible(one.thing)]
    return [
        one
        for one in texts
        if one not in legible
        and any(_shared(other.rectangle, one.rectangle) >= COVERED for other in legible)
    ]


def _covered(drawn: Sequence[_Drawn]) -> list[_Drawn]:
    covers = [
        one for one in drawn if not one.is_text and not one.is_ground and _is_filled(one.thing)
    ]
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
    if not c.FPDFPath_GetDrawMode(thing.raw, fill, stroke):
        return False
    # A line as thick as a word is high hides it as a box does.
    return bool(fill.value) or _stroke(thing) >= THICK


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
    if thing.type == c.FPDF_PAGEOBJ_PATH and (width := _stroke(thing)) >= THICK:
        # PDFium leaves room for sharp corners about a line; a straight one has none.
        room = max(min((top - bottom - width) / 2, right - left - width), 0.0)
        left, bottom, right, top = left + room, bottom + room, right - room, top - room
        # Nor does it reach over its ends.
        if right - left > top - bottom <= width + room:
            left, right = left + room, right - room
        elif top - bottom > right - left <= width + room:
            bottom, top = bottom + room, top - room
    return (left, bottom, right, top) if right > left and top > bottom else None


def _stroke(thing: pdfium.PdfObject) -> float:
    """How thick the line of a path without a filling is; 0 where it has none."""
    fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    if not c.FPDFPath_GetDrawMode(thing.raw, fill, stroke) or fill.value or not stroke.value:
        return 0.0
    c.FPDFPageObj_GetStrokeWidth(thing.raw, width)
    return float(width.value)


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
        self._transform = pdf.transform(page)
        self._scale = min(DPI / 72, (MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
        self.whole = self.draw()

    def draw(self, *, annotations: bool = True) -> Pixels:
        rendered = self._page.render(
            scale=self._scale, may_draw_forms=annotations, draw_annots=annotations, grayscale=True
        )
        with closing(rendered) as bitmap:
            # A copy: the bitmap's memory goes with it.
            drawn = np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width)
            return drawn.astype(np.int16)

    def place(self, rectangle: Rectangle) -> tuple[slice, slice]:
        height, width = self.whole.shape[:2]
        x0, y0, x1, y1 = self._transform.rectangle(rectangle)
        left, right = (min(max(round(x * width), 0), width) for x in (x0, x1))
        top, bottom = (min(max(round(y * height), 0), height) for y in (y0, y1))
        return slice(top, bottom + 1), slice(left, right + 1)

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


def _report(textpage: pdfium.PdfTextPage, canvas: _Canvas, one: _Drawn, number: int) -> Hidden:
    text = " ".join((_part_of if one.is_part else _all_of)(textpage, one).split())
    dark = float(np.median(canvas.whole[canvas.place(one.rectangle)])) < DARK
    invisible = not _is_legible(one.thing)
    return Hidden(text[:200], canvas.box(number, one.rectangle), dark and not invisible, invisible)


def _joined(found: Sequence[Hidden]) -> list[Hidden]:
    """Neighbours on a row as one: some programs write, and some forgers paint, letter by letter."""
    joined: list[Hidden] = []
    for one in sorted(found, key=lambda one: one.box.x0):
        row = next((row for row in joined if _continues(row, one)), None)
        if row is None:
            joined.append(one)
        else:
            joined.remove(row)
            left, right = sorted((row, one), key=lambda part: part.box.x0)
            gap = " " if right.box.x0 - left.box.x1 > SPACE else ""
            both = enclosing((left.box, right.box))
            joined.append(replace(row, text=f"{left.text}{gap}{right.text}"[:200], box=both))
    return [one for one in joined if sum(char.isalnum() for char in one.text) >= 2]


def _continues(row: Hidden, one: Hidden) -> bool:
    apart = max(row.box.x0, one.box.x0) - min(row.box.x1, one.box.x1)
    same = row.dark == one.dark and row.invisible == one.invisible
    return same and row.box.shared_rows(one.box) >= COVERED and apart <= NEAR


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
            closing(pdf.open_document(content)) as document,
            _with_fields(document, number) as page,
        ):
            width, height = page.get_size()
            canvas = _Canvas(page, width, height)
            bare = canvas.draw(annotations=False)
    except (UnreadableError, pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError):
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


def _with_fields(document: pdfium.PdfDocument, number: int) -> closing[pdfium.PdfPage]:
    """A page on which the fields of forms are drawn: the others are drawn without."""
    document.init_forms()
    return closing(document[number - 1])


def _is_erased(bare: Pixels, shown: Pixels) -> bool:
    ink = bare < PALE - 65
    if not ink.any() or float((shown < DARK).mean()) > 0.8:
        return False
    return float((shown[ink] > bare[ink] + VISIBLE).mean()) > 0.4
