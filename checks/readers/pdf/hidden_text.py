"""Text that is on a page but not visible, because something that was drawn later lies over it.

Whether an object hides text is not judged by its kind or colour. The page is drawn with the text
and without it: if that makes no difference, the text cannot be seen. This works for boxes, odd
shapes, pictures, shadings and patterns of any program.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.readers.pdf import tunables
from checks.readers.pdf.backgrounds import ground_of
from checks.readers.pdf.pages import INVISIBLE, bounds, fill_of
from papers import pdf
from papers.errors import UnreadableError
from papers.geometry import Box, Rectangle, box_within_page, enclosing

Pixels = npt.NDArray[np.int16]

Result = TypeVar("Result")

SHOW, HIDE = True, False


@dataclass(frozen=True, slots=True)
class Hidden:
    """A piece of hidden text.

    `dark`: it is under black, as after a redaction. `invisible`: nothing but other text lies over
    it, and it is drawn invisibly. `shown` is that other text, if it is known.
    """

    text: str
    box: Box
    dark: bool
    invisible: bool = False
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
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


def hidden_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Return the hidden text of the given pages (from 1).

    Pages that cannot be drawn give nothing.
    """
    return read_pages(content, pages, _of_page)


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
    except (
        UnreadableError,
        pdfium.PdfiumError,
        ValueError,
        OverflowError,
        ZeroDivisionError,
    ):
        return results
    return results


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    width, height = page.get_size()
    drawings = drawings_of(page)
    suspects = _suspects(drawings)
    pairs = _pairs(drawings)
    if len(suspects) > tunables.MAX_SUSPECTS:
        suspects = []
    if not suspects and not pairs:
        return []
    canvas = Canvas(page, width, height)
    with closing(page.get_textpage()) as textpage:
        replaced = _switched_off(textpage, canvas, pairs)
        pieces = [
            replace(_report(textpage, canvas, part, number), dark=False, invisible=True)
            for part in replaced
        ]
    suspects = [suspect for suspect in suspects if suspect not in replaced]
    if not suspects:
        return _joined(pieces)
    # Drawing is slow, so all suspects are first hidden at once. Only those that overlap are then
    # tested one by one.
    hidden = list(_invisible(canvas, suspects, together=True))
    visible = [suspect for suspect in suspects if suspect not in hidden]
    for suspect in visible[: tunables.MAX_SINGLE]:
        # If texts overlap, hiding them all together says nothing about each of them.
        is_tangled = not suspect.is_part and _overlaps_others(suspect, suspects)
        if is_tangled and _invisible(canvas, [suspect], together=False):
            hidden.append(suspect)
    with closing(page.get_textpage()) as textpage:
        for suspect in hidden:
            pieces.append(_report(textpage, canvas, suspect, number))
    return _joined(pieces)


def _overlaps_others(drawing: Drawing, drawings: Sequence[Drawing]) -> bool:
    for other in drawings:
        if other is not drawing and shared(other.rectangle, drawing.rectangle):
            return True
    return False


def drawings_of(page: pdfium.PdfPage) -> list[Drawing]:
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


def _suspects(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return legible text with an object over it, and invisible text with other text over it."""
    return [*_covered(drawings), *_retyped(drawings)]


def _retyped(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return text that was made invisible and has other text at its place.

    A page that is a picture is left out: the OCR text behind a scan is invisible and lies on its
    words.
    """
    legible: list[Drawing] = []
    illegible: list[Drawing] = []
    for drawing in drawings:
        if drawing.is_ground:
            return []
        if not drawing.is_text:
            continue
        if is_legible(drawing.thing):
            legible.append(drawing)
        else:
            illegible.append(drawing)
    return [drawing for drawing in illegible if _is_retyped(drawing, legible)]


def _pairs(drawings: Sequence[Drawing]) -> list[tuple[Drawing, Drawing]]:
    """Return legible texts that have another legible text at their place: the first drawn, and the
    last one there.
    """
    pairs: list[tuple[Drawing, Drawing]] = []
    by_place: dict[tuple[int, int], list[Drawing]] = {}
    for drawing in drawings:
        if drawing.is_ground:
            return []
        if drawing.is_text and is_legible(drawing.thing):
            by_place.setdefault(_cell(drawing), []).append(drawing)
    for (row, column), texts in by_place.items():
        near = [
            part
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            for part in by_place.get((row + down, column + right), ())
        ]
        # Text that is drawn many times at one place is an ornament.
        if len(near) > tunables.MAX_NEAR:
            continue
        for text in texts:
            later = [part for part in near if part.order > text.order]
            same = [part for part in later if _are_at_one_place(part, text)]
            if same:
                pairs.append((text, same[-1]))
    return pairs


def _cell(drawing: Drawing) -> tuple[int, int]:
    left, bottom, _, _ = drawing.rectangle
    return round(bottom / tunables.CELL), round(left / tunables.CELL)


def _are_at_one_place(first: Drawing, second: Drawing) -> bool:
    return (
        shared(first.rectangle, second.rectangle) >= tunables.COVERED
        and shared(second.rectangle, first.rectangle) >= tunables.COVERED
    )


def _switched_off(
    textpage: pdfium.PdfTextPage,
    canvas: Canvas,
    pairs: Sequence[tuple[Drawing, Drawing]],
) -> list[Drawing]:
    """Return text that no page shows, as in a layer that is off, where other text is written.

    Layers for languages have other words, too. So words count only if the layer repeats most of
    the page; without that, only numbers do.
    """
    for hidden_first in (True, False):
        shown_by = {}
        for first, last in pairs:
            hidden, shown = (first, last) if hidden_first else (last, first)
            shown_by[hidden.order] = (hidden, shown)
        suspects = [hidden for hidden, _ in shown_by.values()]
        found = _invisible(canvas, suspects, together=True)
        differing: list[tuple[Drawing, str, str]] = []
        for hidden in found:
            old = _bare(text_of(textpage, hidden))
            new = _bare(text_of(textpage, shown_by[hidden.order][1]))
            if old != new:
                differing.append((hidden, old, new))
        if not differing:
            continue
        is_copy = len(differing) <= len(found) / 2
        return [
            hidden
            for hidden, old, new in differing
            if is_copy or "" != _digits(old) != _digits(new) != ""
        ]
    return []


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_retyped(text: Drawing, legible: Sequence[Drawing]) -> bool:
    for other in legible:
        if shared(other.rectangle, text.rectangle) >= tunables.COVERED:
            return True
    return False


def _covered(drawings: Sequence[Drawing]) -> list[Drawing]:
    covers = _covers(drawings)
    if not covers:
        return []
    last = covers[-1].order
    whole: list[Drawing] = []
    parts: list[Drawing] = []
    for drawing in drawings:
        # Nothing can lie over a text that is drawn after the last cover.
        if not drawing.is_text or drawing.order >= last:
            continue
        if not is_legible(drawing.thing):
            continue
        if _is_under(drawing, covers):
            whole.append(drawing)
        else:
            parts += _parts(drawing, covers)
    # Texts that are covered as a whole come first, if there are too many suspects.
    room = max(tunables.MAX_SUSPECTS - len(whole), 0)
    return whole + parts[:room]


def _covers(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return objects that may hide text: everything filled, except the picture of a whole page."""
    covers: list[Drawing] = []
    for drawing in drawings:
        if drawing.is_text or drawing.is_ground:
            continue
        if is_filled(drawing.thing):
            covers.append(drawing)
    return covers


def _is_under(text: Drawing, covers: Sequence[Drawing]) -> bool:
    for cover in covers:
        if cover.covers(text):
            return True
    return False


def _parts(text: Drawing, covers: Sequence[Drawing]) -> Iterator[Drawing]:
    """Yield the parts of a line of text that have something over them, at least one letter wide."""
    left, bottom, right, top = text.rectangle
    for cover in covers:
        x0 = max(left, cover.rectangle[0])
        x1 = min(right, cover.rectangle[2])
        y0 = max(bottom, cover.rectangle[1])
        y1 = min(top, cover.rectangle[3])
        height = top - bottom
        is_over = cover.order > text.order and y1 - y0 >= tunables.COVERED * height
        if is_over and x1 - x0 >= height / 2:
            yield replace(text, rectangle=(x0, y0, x1, y1), is_part=True)


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
    return _invisible(canvas, suspects, together=True)


def _invisible(
    canvas: Canvas, suspects: Sequence[Drawing], *, together: bool
) -> list[Drawing]:
    """Return the suspects whose absence changes nothing at their place."""
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


def _report(
    textpage: pdfium.PdfTextPage, canvas: Canvas, drawing: Drawing, number: int
) -> Hidden:
    if drawing.is_part:
        text = part_of(textpage, drawing)
    else:
        text = text_of(textpage, drawing)
    text = " ".join(text.split())[: tunables.LONGEST_TEXT]
    place = canvas.place(drawing.rectangle)
    box = canvas.box(number, drawing.rectangle)
    dark = float(np.median(canvas.whole[place])) < tunables.DARK
    invisible = not is_legible(drawing.thing)
    return Hidden(text, box, dark and not invisible, invisible)


def _joined(pieces: Sequence[Hidden]) -> list[Hidden]:
    """Join neighbours on a row, because some programs write and some forgers cover letter by
    letter.
    """
    joined: list[Hidden] = []
    for piece in sorted(pieces, key=_left_edge):
        row = _row_of(joined, piece)
        if row is not None:
            joined.remove(row)
            piece = _join(row, piece)
        joined.append(piece)
    return [piece for piece in joined if _is_text(piece)]


def _left_edge(piece: Hidden) -> float:
    return piece.box.x0


def _row_of(rows: Sequence[Hidden], piece: Hidden) -> Hidden | None:
    for row in rows:
        if _continues(row, piece):
            return row
    return None


def _join(row: Hidden, piece: Hidden) -> Hidden:
    left, right = sorted((row, piece), key=_left_edge)
    gap = ""
    if right.box.x0 - left.box.x1 > tunables.SPACE:
        gap = " "
    text = left.text + gap + right.text
    box = enclosing((left.box, right.box))
    return replace(row, text=text[: tunables.LONGEST_TEXT], box=box)


def _is_text(piece: Hidden) -> bool:
    """Whether the piece has at least two letters. A single one is a bullet or a mark."""
    return sum(map(str.isalnum, piece.text)) >= 2


def _continues(row: Hidden, piece: Hidden) -> bool:
    if row.dark != piece.dark or row.invisible != piece.invisible:
        return False
    if row.box.shared_rows(piece.box) < tunables.COVERED:
        return False
    end = min(row.box.x1, piece.box.x1)
    start = max(row.box.x0, piece.box.x0)
    return start - end <= tunables.NEAR


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


def erased_words(content: bytes, number: int, boxes: Sequence[Box]) -> list[bool]:
    """Return for each box of a word whether annotations erase it and leave paper or other words
    there.

    The page is drawn with and without its annotations. A pen or highlighter leaves the ink of the
    word visible.
    """
    try:
        with (
            closing(pdf.open_document(content)) as document,
            _with_fields(document, number) as page,
        ):
            width, height = page.get_size()
            canvas = Canvas(page, width, height)
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
        top = int(box.y0 * rows)
        bottom = int(box.y1 * rows) + 1
        left = int(box.x0 * columns)
        right = int(box.x1 * columns) + 1
        without = bare[top:bottom, left:right]
        complete = canvas.whole[top:bottom, left:right]
        erased.append(_is_erased(without, complete))
    return erased


def _with_fields(document: pdfium.PdfDocument, number: int) -> closing[pdfium.PdfPage]:
    """Return a page on which form fields are drawn. Other pages are drawn without them."""
    document.init_forms()
    return closing(document[number - 1])


def _is_erased(bare: Pixels, complete: Pixels) -> bool:
    ink = bare < tunables.PALE - tunables.INK_BELOW_PALE
    if not ink.any():
        return False
    dark = complete < tunables.DARK
    # A dark box is a redaction, which is not counted as erased.
    if float(dark.mean()) > tunables.REDACTED:
        return False
    paler = complete[ink] > bare[ink] + tunables.VISIBLE
    return float(paler.mean()) > tunables.ERASED
