"""What is drawn on a page, in its order, and whether a reader of the page sees it.

Whether an object hides text is not judged by its kind or colour. The page is drawn with the text
and without it: if that makes no difference, the text cannot be seen. This works for boxes, odd
shapes, pictures, shadings and patterns of any program.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.readers.pdf import tunables
from checks.readers.pdf.backgrounds import ground_of
from checks.readers.pdf.pages import INVISIBLE, NOT_DRAWN, bounds, fill_of
from papers import pdf
from papers.geometry import Box, Rectangle, box_within_page

Pixels = npt.NDArray[np.int16]

Result = TypeVar("Result")

SHOW, HIDE = True, False


@dataclass(frozen=True, slots=True)
class Drawing:
    """An object of a page, and where it is. Of two, the one with the higher order lies above."""

    order: int
    thing: pdfium.PdfObject
    rectangle: Rectangle
    is_text: bool
    # This is a part of a longer text: programs write whole lines in one piece.
    is_part: bool = False
    # This is a picture of the page, and everything else lies over it.
    is_ground: bool = False

    def covers(self, other: Drawing) -> bool:
        return (
            self.order > other.order
            and shared(self.rectangle, other.rectangle) >= tunables.COVERED
        )


def read_pages(
    content: bytes,
    pages: Sequence[int],
    read: Callable[[pdfium.PdfPage, int], list[Result]],
) -> list[Result]:
    """Return what `read` returns for the pages (from 1), as far as they can be opened and drawn."""
    results: list[Result] = []
    try:
        with closing(pdf.open_document(content)) as document:
            for number in pages:
                with closing(document[number - 1]) as page:
                    results += read(page, number)
    except NOT_DRAWN:
        return results
    return results


def drawings_of(page: pdfium.PdfPage) -> list[Drawing]:
    """Return what is drawn on the page, in its order; nothing of a page with too many objects."""
    drawings: list[Drawing] = []
    images: dict[int, Rectangle] = {}
    for order, thing in enumerate(page.get_objects(max_depth=6)):
        # A page with so many objects would take too long. It is not examined at all rather than in
        # part.
        if order >= tunables.MAX_HIDDEN_OBJECTS:
            return []
        rectangle = _bounds(thing)
        if rectangle is None or thing.type == c.FPDF_PAGEOBJ_FORM:
            continue
        is_text = thing.type == c.FPDF_PAGEOBJ_TEXT
        if thing.type == c.FPDF_PAGEOBJ_IMAGE:
            images[order] = rectangle
        drawings.append(Drawing(order, thing, rectangle, is_text))
    grounds, _ = ground_of(images, page.get_bbox())
    for index, drawing in enumerate(drawings):
        if drawing.order in grounds:
            drawings[index] = replace(drawing, is_ground=True)
    return drawings


def is_filled(thing: pdfium.PdfObject) -> bool:
    if thing.type != c.FPDF_PAGEOBJ_PATH:
        return True
    fill = ctypes.c_int()
    stroke = ctypes.c_int()
    if not c.FPDFPath_GetDrawMode(thing.raw, fill, stroke):
        return False
    # A line as thick as the height of a word hides it like a box.
    return bool(fill.value) or _stroke(thing) >= tunables.THICK


def is_legible(thing: pdfium.PdfObject) -> bool:
    if c.FPDFTextObj_GetTextRenderMode(thing.raw) in INVISIBLE:
        return False
    fill = fill_of(thing)
    # PDFium cannot state every colour, such as a pattern. Such text is assumed to be legible.
    if fill is None:
        return True
    return fill.darkest < tunables.PALE and fill.alpha > tunables.TRANSPARENT


def _bounds(thing: pdfium.PdfObject) -> Rectangle | None:
    """Return the bounds on the page; None for an object without an extent."""
    edges = bounds(thing)
    if edges is None:
        return None
    if thing.type == c.FPDF_PAGEOBJ_PATH:
        width = _stroke(thing)
        if width >= tunables.THICK:
            edges = _without_corners(edges, width)
    left, bottom, right, top = edges
    if right > left and top > bottom:
        return edges
    return None


def _without_corners(edges: Rectangle, stroke: float) -> Rectangle:
    """Return the real bounds of a thick line.

    PDFium leaves room around it for sharp corners, which a straight line does not have.
    """
    left, bottom, right, top = edges
    above_and_below = (top - bottom - stroke) / 2
    room = max(min(above_and_below, right - left - stroke), 0.0)
    left += room
    bottom += room
    right -= room
    top -= room
    # It does not extend beyond its ends either.
    width = right - left
    height = top - bottom
    if width > height and height <= stroke + room:
        left += room
        right -= room
    elif height > width and width <= stroke + room:
        bottom += room
        top -= room
    return left, bottom, right, top


def _stroke(thing: pdfium.PdfObject) -> float:
    """Return the thickness of a path without filling; 0 if it has no line."""
    fill = ctypes.c_int()
    stroke = ctypes.c_int()
    width = ctypes.c_float()
    if not c.FPDFPath_GetDrawMode(thing.raw, fill, stroke):
        return 0.0
    if fill.value or not stroke.value:
        return 0.0
    c.FPDFPageObj_GetStrokeWidth(thing.raw, width)
    return float(width.value)


def shared(first: Rectangle, other: Rectangle) -> float:
    """Return the share (0 to 1) of `other` that lies within `first`."""
    first_left, first_bottom, first_right, first_top = first
    left, bottom, right, top = other
    width = min(first_right, right) - max(first_left, left)
    height = min(first_top, top) - max(first_bottom, bottom)
    if width <= 0 or height <= 0:
        return 0.0
    area = (right - left) * (top - bottom)
    return width * height / area


class Canvas:
    """A page that is drawn repeatedly, with the transform from its coordinates to the drawing."""

    def __init__(
        self,
        page: pdfium.PdfPage,
        width: float,
        height: float,
        *,
        dpi: int = tunables.DPI,
    ) -> None:
        self._page = page
        self._transform = pdf.transform(page)
        most_pixels = tunables.MAX_PIXELS * (dpi / tunables.DPI) ** 2
        largest_scale = (most_pixels / max(width * height, 1.0)) ** 0.5
        self._scale = min(dpi / 72, largest_scale)
        self.whole = self.draw()

    def draw(self, *, annotations: bool = True) -> Pixels:
        rendered = self._page.render(
            scale=self._scale,
            may_draw_forms=annotations,
            draw_annots=annotations,
            grayscale=True,
        )
        with closing(rendered) as bitmap:
            # Copy the pixels, because their memory is freed with the bitmap.
            pixels = np.array(bitmap.to_numpy())
            pixels = pixels.reshape(bitmap.height, bitmap.width)
            return pixels.astype(np.int16)

    def place(self, rectangle: Rectangle) -> tuple[slice, slice]:
        """Return the rows and columns of the drawing at a rectangle of the page."""
        rows, columns = self.whole.shape[:2]
        x0, y0, x1, y1 = self._transform.rectangle(rectangle)
        return _dots(y0, y1, rows), _dots(x0, x1, columns)

    def box(self, number: int, rectangle: Rectangle) -> Box:
        rows, columns = self.place(rectangle)
        height, width = self.whole.shape[:2]
        left = columns.start / width
        right = columns.stop / width
        top = rows.start / height
        bottom = rows.stop / height
        return box_within_page(number, (left, top, right, bottom))


def _dots(start: float, end: float, count: int) -> slice:
    """Convert fractions of a side into a range of dots, including the last one."""
    first = min(max(round(start * count), 0), count)
    last = min(max(round(end * count), 0), count)
    return slice(first, last + 1)


def unseen(canvas: Canvas, suspects: Sequence[Drawing]) -> list[Drawing]:
    """Return the suspects at whose place nothing changes if all of them are left out."""
    if not suspects:
        return []
    for suspect in suspects:
        c.FPDFPageObj_SetIsActive(suspect.thing.raw, HIDE)
    try:
        without = canvas.draw()
    finally:
        for suspect in suspects:
            c.FPDFPageObj_SetIsActive(suspect.thing.raw, SHOW)
    difference = np.abs(canvas.whole - without)
    invisible: list[Drawing] = []
    for suspect in suspects:
        place = canvas.place(suspect.rectangle)
        if _is_same(difference[place]):
            invisible.append(suspect)
    return invisible


def _is_same(difference: Pixels) -> bool:
    # A few changed dots are rounding at the edges of letters.
    changed = difference > tunables.VISIBLE
    return difference.size > 0 and float(changed.mean()) < tunables.UNCHANGED


def text_of(textpage: pdfium.PdfTextPage, drawing: Drawing) -> str:
    size = c.FPDFTextObj_GetText(drawing.thing.raw, textpage, None, 0)
    buffer = ctypes.create_string_buffer(max(size, 2))
    c.FPDFTextObj_GetText(
        drawing.thing.raw,
        textpage,
        ctypes.cast(buffer, ctypes.POINTER(c.FPDF_WCHAR)),
        size,
    )
    # The last two bytes terminate the text.
    letters = buffer.raw[: max(size - 2, 0)]
    return letters.decode("utf-16-le", "replace")


def part_of(textpage: pdfium.PdfTextPage, drawing: Drawing) -> str:
    """Return the letters of this piece of text that lie within the part."""
    address = _address(drawing.thing.raw)
    x0, y0, x1, y1 = drawing.rectangle
    letters = []
    for index in range(textpage.count_chars()):
        owner = c.FPDFText_GetTextObject(textpage, index)
        if _address(owner) != address:
            continue
        left, bottom, right, top = textpage.get_charbox(index)
        x = (left + right) / 2
        y = (bottom + top) / 2
        if x0 <= x <= x1 and y0 <= y <= y1:
            code = c.FPDFText_GetUnicode(textpage, index)
            letters.append(chr(code))
    return "".join(letters)


# The argument is a ctypes pointer, which has no static type.
def _address(thing: Any) -> int | None:
    return ctypes.cast(thing, ctypes.c_void_p).value
