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

from checks.readers.pdf.backgrounds import ground_of
from checks.readers.pdf.pages import bounds
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
# Ink of a word is darker than that by so much: its soft edges are not counted.
INK_BELOW_PALE = 65
# The share of a drawing that something must lie over.
COVERED = 0.5
# Grey values: a smaller difference is the smoothing of edges.
VISIBLE = 24
# A place with this median is ink, not paper.
DARK = 110
THICK = 4.0
# Taking a hidden text away may change this share of its place: a pixel or two at its edge.
UNCHANGED = 0.004
# Over this share of dark pixels a place is a black bar, which everybody sees.
REDACTED = 0.8
# Of the ink of a word so much must be gone: a mark of a pen takes less.
ERASED = 0.4
# Characters of a hidden text that are shown.
LONGEST_TEXT = 200
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
class _Drawing:
    order: int
    thing: pdfium.PdfObject
    rectangle: Rectangle
    is_text: bool
    # Is this a stretch of a longer text, as programs write whole lines in one piece?
    is_part: bool = False
    # A picture of the page, over which everything else stands.
    is_ground: bool = False

    def covers(self, other: _Drawing) -> bool:
        return (
            self.order > other.order
            and _shared(self.rectangle, other.rectangle) >= COVERED
        )


def hidden_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Hidden text of the given pages (from 1); nothing where a page cannot be drawn."""
    hidden: list[Hidden] = []
    try:
        with closing(pdf.open_document(content)) as document:
            for number in pages:
                with closing(document[number - 1]) as page:
                    hidden += _of_page(page, number)
    except (
        UnreadableError,
        pdfium.PdfiumError,
        ValueError,
        OverflowError,
        ZeroDivisionError,
    ):
        return hidden
    return hidden


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    width, height = page.get_size()
    drawings = _drawings(page)
    suspects = _suspects(drawings)
    if not suspects or len(suspects) > MAX_SUSPECTS:
        return []
    canvas = _Canvas(page, width, height)
    hidden = list(_invisible(canvas, suspects, together=True))
    left = [suspect for suspect in suspects if suspect not in hidden][:MAX_SINGLE]
    # Of texts that lie over one another, taking all away tells nothing of each.
    tangled = []
    for suspect in left:
        if not suspect.is_part and _overlaps_others(suspect, suspects):
            tangled.append(suspect)
    for suspect in tangled:
        if _invisible(canvas, [suspect], together=False):
            hidden.append(suspect)
    with closing(page.get_textpage()) as textpage:
        return _joined(
            [_report(textpage, canvas, suspect, number) for suspect in hidden]
        )


def _overlaps_others(drawing: _Drawing, drawings: Sequence[_Drawing]) -> bool:
    for other in drawings:
        if other is not drawing and _shared(other.rectangle, drawing.rectangle):
            return True
    return False


def _drawings(page: pdfium.PdfPage) -> list[_Drawing]:
    drawings: list[_Drawing] = []
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
        drawings.append(_Drawing(order, thing, rectangle, is_text))
    grounds, _ = ground_of(images, page.get_bbox())
    return [
        replace(drawing, is_ground=drawing.order in grounds) for drawing in drawings
    ]


def _suspects(drawings: Sequence[_Drawing]) -> list[_Drawing]:
    """Legible text with something but text over it, and illegible text with other text over it."""
    return [*_covered(drawings), *_retyped(drawings)]


def _retyped(drawings: Sequence[_Drawing]) -> list[_Drawing]:
    """Text that was made invisible, where other text stands at its place.

    Not on a page that is a picture: the text behind a scan is invisible, and stands on its words.
    """
    if any(drawing.is_ground for drawing in drawings):
        return []
    texts = [drawing for drawing in drawings if drawing.is_text]
    legible = [drawing for drawing in texts if _is_legible(drawing.thing)]
    retyped: list[_Drawing] = []
    for drawing in texts:
        if drawing not in legible and any(
            _shared(other.rectangle, drawing.rectangle) >= COVERED for other in legible
        ):
            retyped.append(drawing)
    return retyped


def _covered(drawings: Sequence[_Drawing]) -> list[_Drawing]:
    covers = []
    for drawing in drawings:
        if not drawing.is_text and not drawing.is_ground and _is_filled(drawing.thing):
            covers.append(drawing)
    if not covers:
        return []
    first = covers[-1].order
    texts = [
        drawing
        for drawing in drawings
        if drawing.is_text and drawing.order < first and _is_legible(drawing.thing)
    ]
    whole: list[_Drawing] = []
    parts: list[_Drawing] = []
    for drawing in texts:
        if any(cover.covers(drawing) for cover in covers):
            whole.append(drawing)
        else:
            parts += _parts(drawing, covers)
    return whole + parts[: max(MAX_SUSPECTS - len(whole), 0)]


def _parts(text: _Drawing, covers: Sequence[_Drawing]) -> Iterator[_Drawing]:
    """The stretches of a line of text that have something over them, a letter wide at least."""
    left, bottom, right, top = text.rectangle
    for cover in covers:
        x0 = max(left, cover.rectangle[0])
        x1 = min(right, cover.rectangle[2])
        y0 = max(bottom, cover.rectangle[1])
        y1 = min(top, cover.rectangle[3])
        height = top - bottom
        if (
            cover.order > text.order
            and y1 - y0 >= COVERED * height
            and x1 - x0 >= height / 2
        ):
            yield replace(text, rectangle=(x0, y0, x1, y1), is_part=True)


def _is_filled(thing: pdfium.PdfObject) -> bool:
    if thing.type != c.FPDF_PAGEOBJ_PATH:
        return True
    fill = ctypes.c_int()
    stroke = ctypes.c_int()
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
    edges = bounds(thing)
    if edges is None:
        return None
    left, bottom, right, top = edges
    if thing.type == c.FPDF_PAGEOBJ_PATH and (width := _stroke(thing)) >= THICK:
        # PDFium leaves room for sharp corners about a line; a straight one has none.
        room = max(min((top - bottom - width) / 2, right - left - width), 0.0)
        left = left + room
        bottom = bottom + room
        right = right - room
        top = top - room
        # Nor does it reach over its ends.
        if right - left > top - bottom <= width + room:
            left = left + room
            right = right - room
        elif top - bottom > right - left <= width + room:
            bottom = bottom + room
            top = top - room
    if right > left and top > bottom:
        return (left, bottom, right, top)
    return None


def _stroke(thing: pdfium.PdfObject) -> float:
    """How thick the line of a path without a filling is; 0 where it has none."""
    fill = ctypes.c_int()
    stroke = ctypes.c_int()
    width = ctypes.c_float()
    if (
        not c.FPDFPath_GetDrawMode(thing.raw, fill, stroke)
        or fill.value
        or not stroke.value
    ):
        return 0.0
    c.FPDFPageObj_GetStrokeWidth(thing.raw, width)
    return float(width.value)


def _shared(first: Rectangle, other: Rectangle) -> float:
    """How much of `other` lies within `one`, 0 to 1."""
    width = min(first[2], other[2]) - max(first[0], other[0])
    height = min(first[3], other[3]) - max(first[1], other[1])
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
            scale=self._scale,
            may_draw_forms=annotations,
            draw_annots=annotations,
            grayscale=True,
        )
        with closing(rendered) as bitmap:
            # A copy: the bitmap's memory goes with it.
            pixels = np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width)
            return pixels.astype(np.int16)

    def place(self, rectangle: Rectangle) -> tuple[slice, slice]:
        height, width = self.whole.shape[:2]
        x0, y0, x1, y1 = self._transform.rectangle(rectangle)
        left, right = (min(max(round(x * width), 0), width) for x in (x0, x1))
        top, bottom = (min(max(round(y * height), 0), height) for y in (y0, y1))
        return slice(top, bottom + 1), slice(left, right + 1)

    def box(self, number: int, rectangle: Rectangle) -> Box:
        rows, columns = self.place(rectangle)
        height, width = self.whole.shape[:2]
        edges = (
            columns.start / width,
            rows.start / height,
            columns.stop / width,
            rows.stop / height,
        )
        return Box(number, *(round(min(max(edge, 0.0), 1.0), 5) for edge in edges))


def _invisible(
    canvas: _Canvas, suspects: Sequence[_Drawing], *, together: bool
) -> list[_Drawing]:
    """Those whose absence changes nothing where they stand."""
    for suspect in suspects:
        c.FPDFPageObj_SetIsActive(suspect.thing.raw, HIDE)
    try:
        without = canvas.draw()
    finally:
        for suspect in suspects:
            c.FPDFPageObj_SetIsActive(suspect.thing.raw, SHOW)
    difference = np.abs(canvas.whole - without)
    return [
        suspect
        for suspect in suspects
        if _is_same(difference[canvas.place(suspect.rectangle)])
    ]


def _is_same(difference: Pixels) -> bool:
    return difference.size > 0 and float((difference > VISIBLE).mean()) < UNCHANGED


def _report(
    textpage: pdfium.PdfTextPage, canvas: _Canvas, drawing: _Drawing, number: int
) -> Hidden:
    if drawing.is_part:
        text = _part_of(textpage, drawing)
    else:
        text = _all_of(textpage, drawing)
    text = " ".join(text.split())[:LONGEST_TEXT]
    place = canvas.place(drawing.rectangle)
    dark = float(np.median(canvas.whole[place])) < DARK
    invisible = not _is_legible(drawing.thing)
    return Hidden(
        text, canvas.box(number, drawing.rectangle), dark and not invisible, invisible
    )


def _joined(pieces: Sequence[Hidden]) -> list[Hidden]:
    """Neighbours on a row as one: some programs write, and some forgers paint, letter by letter."""
    joined: list[Hidden] = []
    for piece in sorted(pieces, key=lambda piece: piece.box.x0):
        row = next((row for row in joined if _continues(row, piece)), None)
        if row is None:
            joined.append(piece)
        else:
            joined.remove(row)
            left, right = sorted((row, piece), key=lambda part: part.box.x0)
            if right.box.x0 - left.box.x1 > SPACE:
                gap = " "
            else:
                gap = ""
            both = enclosing((left.box, right.box))
            text = f"{left.text}{gap}{right.text}"[:LONGEST_TEXT]
            joined.append(replace(row, text=text, box=both))
    # One letter alone is a bullet or a mark, and no text that somebody hides.
    return [piece for piece in joined if sum(map(str.isalnum, piece.text)) >= 2]


def _continues(row: Hidden, piece: Hidden) -> bool:
    apart = max(row.box.x0, piece.box.x0) - min(row.box.x1, piece.box.x1)
    same = row.dark == piece.dark and row.invisible == piece.invisible
    return same and row.box.shared_rows(piece.box) >= COVERED and apart <= NEAR


def _all_of(textpage: pdfium.PdfTextPage, drawing: _Drawing) -> str:
    size = c.FPDFTextObj_GetText(drawing.thing.raw, textpage, None, 0)
    buffer = ctypes.create_string_buffer(max(size, 2))
    c.FPDFTextObj_GetText(
        drawing.thing.raw,
        textpage,
        ctypes.cast(buffer, ctypes.POINTER(c.FPDF_WCHAR)),
        size,
    )
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")


def _part_of(textpage: pdfium.PdfTextPage, drawing: _Drawing) -> str:
    """The letters of this piece of text that stand within the part."""
    address = _address(drawing.thing.raw)
    x0, y0, x1, y1 = drawing.rectangle
    letters = []
    for index in range(textpage.count_chars()):
        if _address(c.FPDFText_GetTextObject(textpage, index)) != address:
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
    except (
        UnreadableError,
        pdfium.PdfiumError,
        ValueError,
        OverflowError,
        ZeroDivisionError,
    ):
        return [False] * len(boxes)
    rows, columns = bare.shape
    erased: list[bool] = []
    for box in boxes:
        down = slice(int(box.y0 * rows), int(box.y1 * rows) + 1)
        across = slice(int(box.x0 * columns), int(box.x1 * columns) + 1)
        erased.append(_is_erased(bare[down, across], canvas.whole[down, across]))
    return erased


def _with_fields(document: pdfium.PdfDocument, number: int) -> closing[pdfium.PdfPage]:
    """A page on which the fields of forms are drawn: the others are drawn without."""
    document.init_forms()
    return closing(document[number - 1])


def _is_erased(bare: Pixels, complete: Pixels) -> bool:
    ink = bare < PALE - INK_BELOW_PALE
    if not ink.any():
        return False
    if float((complete < DARK).mean()) > REDACTED:
        return False
    return float((complete[ink] > bare[ink] + VISIBLE).mean()) > ERASED
