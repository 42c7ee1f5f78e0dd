"""Pages of a PDF as they are displayed: words with boxes, covered text, pictures.

PDFium is not thread-safe: only one thread of a process may read at a time.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.readers.pdf import tunables
from checks.readers.pdf.backgrounds import ground_of
from checks.readers.pdf.stray_letters import in_place
from checks.readers.pdf.structure import Widget
from checks.text.right_to_left import (
    is_right_to_left,
    letters_in_order,
    words_in_order,
)
from checks.text.words import Covered, CoverKind, Hiding, Line, Page, Word, place_loose
from papers import pdf, words
from papers.errors import UnreadableError
from papers.geometry import Affine, Box, Rectangle

# Text rendering modes that neither fill nor stroke: 3 is invisible, 7 only clips.
INVISIBLE = {3, 7}
# Errors of opening a hostile file or drawing a page of it: what looks at pages then finds nothing.
NOT_DRAWN = (
    UnreadableError,
    pdfium.PdfiumError,
    ValueError,
    OverflowError,
    ZeroDivisionError,
)


@dataclass(frozen=True, slots=True)
class _Style:
    order: int
    font: str
    embedded: bool
    invisible: bool


NO_STYLE = _Style(order=-1, font="", embedded=True, invisible=False)


@dataclass(frozen=True, slots=True)
class _Cover:
    """An opaque object, smaller than half the page, that hides what was drawn before it."""

    order: int
    kind: CoverKind
    rectangle: Rectangle
    picture: pdfium.PdfObject | None = None

    def holds(self, glyph: _Glyph) -> bool:
        x0, y0, x1, y1 = self.rectangle
        left, bottom, right, top = glyph.rectangle
        x = (left + right) / 2
        if not x0 <= x <= x1:
            return False
        y = (bottom + top) / 2
        return y0 <= y <= y1


@dataclass(frozen=True, slots=True)
class _Glyph:
    char: str
    rectangle: Rectangle
    style: _Style


@dataclass(slots=True)
class _Drawing:
    """The objects of a page in painting order, as far as they matter for reading.

    `grounds` are the orders of the pictures that together are a picture of the page, and `ground`
    is the share of the page that they cover.
    """

    styles: dict[int, _Style] = field(default_factory=dict)
    covers: list[_Cover] = field(default_factory=list)
    images: dict[int, Rectangle] = field(default_factory=dict)
    grounds: frozenset[int] = frozenset()
    ground: float = 0.0
    count: int = 0

    def hiding(self, style: _Style) -> Hiding:
        """Return how text of this style is hidden, if it is the OCR text behind a scan."""
        if style.invisible:
            return "invisible"
        if 0 <= style.order < max(self.grounds, default=-1):
            return "behind"
        return ""


def read_pages(
    content: bytes,
    *,
    max_pages: int,
    widgets: Sequence[Widget] = (),
    upright: bool = False,
) -> tuple[list[Page], int]:
    """Return the first pages of a PDF, and its number of pages.

    `upright`: ignore the rotation that the file asks a viewer for.
    """
    with closing(pdf.open_document(content)) as document:
        count = len(document)
        pages = []
        for index in range(min(count, max_pages)):
            on_page = [widget for widget in widgets if widget.page == index + 1]
            pages.append(_read_page(document, index, on_page, upright=upright))
        return pages, count


def _read_page(
    document: pdfium.PdfDocument,
    index: int,
    widgets: Sequence[Widget],
    *,
    upright: bool,
) -> Page:
    number = index + 1
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return Page(number, 0.0, 0.0)
    with closing(page):
        if upright:
            page.set_rotation(0)
        width, height = page.get_size()
        transform = pdf.transform(page)
        drawing = _drawing(page)
        glyphs = _glyphs(page, drawing)
        letters = [glyph for glyph in glyphs if glyph is not None]
        covers = _hiding(drawing.covers, letters, document, page)
        lines, covered = _arrange(number, transform, glyphs, covers, drawing)
        loose = []
        for widget in widgets:
            if widget.value and not widget.hidden:
                loose.append(_form_line(transform, widget))
        images = []
        for image in drawing.images.values():
            images.append(transform.box(number, image))
        return Page(
            number=number,
            width=min(width, tunables.MAX_SIDE),
            height=min(height, tunables.MAX_SIDE),
            lines=tuple(place_loose(lines, loose)),
            covered=tuple(covered),
            images=tuple(images),
            transform=transform,
            objects=drawing.count,
            ground=drawing.ground,
        )


def _drawing(page: pdfium.PdfPage) -> _Drawing:
    drawing = _Drawing()
    left, bottom, right, top = page.get_bbox()
    area = (right - left) * (top - bottom)
    half = abs(area) / 2
    fonts: dict[int, tuple[str, bool]] = {}
    try:
        for order, thing in enumerate(page.get_objects(max_depth=6)):
            if order >= tunables.MAX_OBJECTS:
                # The painting order is then only partly known, so no text is reported as covered.
                drawing.covers.clear()
                break
            drawing.count += 1
            if thing.type == c.FPDF_PAGEOBJ_TEXT:
                address = ctypes.addressof(thing.raw.contents)
                drawing.styles[address] = _style(thing, order, fonts)
            elif thing.type in (c.FPDF_PAGEOBJ_PATH, c.FPDF_PAGEOBJ_IMAGE):
                _note_cover(drawing, thing, order, half)
    except pdfium.PdfiumError:
        drawing.covers.clear()
    paper = (left, bottom, right, top)
    drawing.grounds, drawing.ground = ground_of(drawing.images, paper)
    covers = drawing.covers
    drawing.covers = [cover for cover in covers if cover.order not in drawing.grounds]
    return drawing


def _style(
    thing: pdfium.PdfObject, order: int, fonts: dict[int, tuple[str, bool]]
) -> _Style:
    font = c.FPDFTextObj_GetFont(thing.raw)
    invisible = c.FPDFTextObj_GetTextRenderMode(thing.raw) in INVISIBLE
    if not font:
        return _Style(order, "", embedded=True, invisible=invisible)
    address = ctypes.addressof(font.contents)
    if address not in fonts:
        buffer = ctypes.create_string_buffer(128)
        c.FPDFFont_GetBaseFontName(font, buffer, 128)
        name = buffer.value.decode("utf-8", "replace")
        fonts[address] = name, bool(c.FPDFFont_GetIsEmbedded(font))
    name, embedded = fonts[address]
    return _Style(order, name, embedded=embedded, invisible=invisible)


def _note_cover(
    drawing: _Drawing, thing: pdfium.PdfObject, order: int, half: float
) -> None:
    rectangle = bounds(thing)
    if rectangle is None:
        return
    width = rectangle[2] - rectangle[0]
    height = rectangle[3] - rectangle[1]
    is_image = thing.type == c.FPDF_PAGEOBJ_IMAGE
    if is_image:
        drawing.images[order] = rectangle
    # In points: a smaller object hides no letter, and a larger one is the ground of the page.
    hides = width > 5 and height > 4 and width * height < half
    if not hides or len(drawing.covers) >= tunables.MAX_COVERS:
        return
    if is_image:
        drawing.covers.append(_Cover(order, "image", rectangle, thing))
    elif _is_paper(thing):
        drawing.covers.append(_Cover(order, "fill", rectangle))


def bounds(thing: pdfium.PdfObject) -> Rectangle | None:
    """Return the bounds on the page. An object within a form has them in the form's own space."""
    try:
        corners = thing.get_bounds()
        container = thing.container
        while container is not None:
            corners = container.get_matrix().on_rect(*corners)
            container = container.container
    except pdfium.PdfiumError:
        return None
    left, bottom, right, top = corners
    return left, bottom, right, top


def _is_paper(thing: pdfium.PdfObject) -> bool:
    """Whether this is a plain opaque rectangle in the colour of paper."""
    fill = ctypes.c_int()
    stroke = ctypes.c_int()
    has_mode = c.FPDFPath_GetDrawMode(thing.raw, fill, stroke)
    if not has_mode or not fill.value:
        return False
    colour = fill_of(thing)
    if (
        colour is None
        or colour.darkest < tunables.PAPER
        or colour.alpha < tunables.OPAQUE
    ):
        return False
    if not _is_upright_rectangle(thing):
        return False
    return not c.FPDFPageObj_HasTransparency(thing.raw)


def _is_upright_rectangle(thing: pdfium.PdfObject) -> bool:
    """Whether a path fills its bounds. A slanted one leaves corners in which text is seen."""
    count = c.FPDFPath_CountSegments(thing.raw)
    if count > tunables.MAX_SEGMENTS:
        return False
    matrix = thing.get_matrix()
    container = thing.container
    while container is not None:
        matrix = matrix.multiply(container.get_matrix())
        container = container.container
    corners: list[tuple[float, float]] = []
    for index in range(count):
        segment = c.FPDFPath_GetPathSegment(thing.raw, index)
        x = ctypes.c_float()
        y = ctypes.c_float()
        if not c.FPDFPathSegment_GetPoint(segment, x, y):
            return False
        corners.append(matrix.on_point(x.value, y.value))
    return all(
        abs(x - other) < tunables.UPRIGHT or abs(y - below) < tunables.UPRIGHT
        for (x, y), (other, below) in pairwise(corners)
    )


class Fill(NamedTuple):
    """The darkest of red, green and blue, and the opacity, each from 0 to 255."""

    darkest: int
    alpha: int


def fill_of(thing: pdfium.PdfObject) -> Fill | None:
    """Return the fill colour of an object; None if PDFium cannot state it."""
    red = ctypes.c_uint()
    green = ctypes.c_uint()
    blue = ctypes.c_uint()
    alpha = ctypes.c_uint()
    if not c.FPDFPageObj_GetFillColor(thing.raw, red, green, blue, alpha):
        return None
    darkest = min(red.value, green.value, blue.value)
    return Fill(darkest, alpha.value)


def _glyphs(page: pdfium.PdfPage, drawing: _Drawing) -> list[_Glyph | None]:
    """Return the glyphs in reading order: None at the end of a line, and a blank glyph between
    words.
    """
    glyphs: list[_Glyph | None] = []
    styles = drawing.styles
    paper = page.get_bbox()
    with closing(page.get_textpage()) as textpage:
        for number, char, rectangle in words.glyphs(textpage):
            if char == "\n":
                glyphs.append(None)
                continue
            if char != " " and not _is_on(paper, rectangle):
                continue
            style = NO_STYLE
            handle = c.FPDFText_GetTextObject(textpage, number)
            if handle:
                address = ctypes.addressof(handle.contents)
                style = styles.get(address, NO_STYLE)
            if glyphs and _is_blank_lost(glyphs[-1], char, rectangle):
                glyphs.append(_Glyph(" ", rectangle, style))
            glyphs.append(_Glyph(char, rectangle, style))
    return glyphs


def _is_on(paper: Rectangle, rectangle: Rectangle) -> bool:
    """Whether a letter is on the page. Beyond its edge nobody sees it: printers put marks there."""
    left, bottom, right, top = rectangle
    # PDFium gives no size to a letter whose place it does not know.
    if right <= left or top <= bottom:
        return True
    x = (left + right) / 2
    y = (bottom + top) / 2
    return paper[0] <= x <= paper[2] and paper[1] <= y <= paper[3]


def _is_blank_lost(before: _Glyph | None, char: str, rectangle: Rectangle) -> bool:
    """Whether a blank is missing between two letters A.

    Both are set so close to a blank that PDFium takes it for none. Without a blank they touch.
    """
    if before is None or not before.char == char == "A":
        return False
    gap = rectangle[0] - before.rectangle[2]
    height = rectangle[3] - rectangle[1]
    is_same_line = abs(rectangle[1] - before.rectangle[1]) < height / 2
    return is_same_line and tunables.BLANK_OF_A * height < gap < height


def _hiding(
    covers: Sequence[_Cover],
    glyphs: Sequence[_Glyph],
    document: pdfium.PdfDocument,
    page: pdfium.PdfPage,
) -> list[_Cover]:
    """Return the covers that really hide text: at least two letters, and opaque where
    these stand.
    """
    hiding: list[_Cover] = []
    for cover in covers:
        letters = 0
        for glyph in _beneath(cover, glyphs):
            letters += glyph.char.isalnum()
        # Testing a picture for opacity decodes it, so only covers with text below are tested.
        if letters >= 2 and _is_opaque(cover, document, page):
            hiding.append(cover)
    return hiding


def _beneath(cover: _Cover, glyphs: Sequence[_Glyph]) -> Iterator[_Glyph]:
    for glyph in glyphs:
        style = glyph.style
        # A cover hides only what was drawn before it. The style -1 has no order.
        if style.invisible or not 0 <= style.order < cover.order:
            continue
        if cover.holds(glyph):
            yield glyph


def _is_opaque(
    cover: _Cover, document: pdfium.PdfDocument, page: pdfium.PdfPage
) -> bool:
    """Whether a cover is opaque. The picture of a seal or a signature is mostly transparent."""
    if cover.picture is None:
        return True
    handle = c.FPDFImageObj_GetRenderedBitmap(document, page, cover.picture.raw)
    if not handle:
        return False
    try:
        if c.FPDFBitmap_GetFormat(handle) != c.FPDFBitmap_BGRA:
            return True
        size = c.FPDFBitmap_GetStride(handle) * c.FPDFBitmap_GetHeight(handle)
        dots = ctypes.string_at(c.FPDFBitmap_GetBuffer(handle), size)
        # The bytes are blue, green, red, alpha. A sample of a few thousand dots is enough.
        alphas = dots[3::4]
        step = max(len(alphas) // 4096, 1)
        sample = alphas[::step]
        opaque = sum(alpha >= tunables.OPAQUE for alpha in sample)
        return opaque >= 0.9 * len(sample)
    finally:
        c.FPDFBitmap_Destroy(handle)


def _arrange(
    number: int,
    transform: Affine,
    glyphs: Sequence[_Glyph | None],
    covers: Sequence[_Cover],
    drawing: _Drawing,
) -> tuple[list[Line], list[Covered]]:
    """Return the lines of visible words and the covered texts.

    Words over a cover are put where they are seen.
    """
    # The layers as _layer_of counts them: plain text, text over a cover, and the text under each
    # cover.
    layers: list[list[_Glyph | None]] = [[] for _ in range(2 + len(covers))]
    for glyph in glyphs:
        if glyph is None:
            # A line ends in all layers at once, so that each layer keeps its lines.
            for layer in layers:
                layer.append(None)
        else:
            index = _layer_of(glyph, covers)
            layers[index].append(glyph)
    visible = _lines(number, transform, layers[0], drawing)
    retyped = _lines(number, transform, layers[1], drawing)
    covered = []
    for cover, layer in zip(covers, layers[2:], strict=True):
        hidden = _lines(number, transform, layer, drawing)
        if hidden:
            box = transform.box(number, cover.rectangle)
            text = " ".join(line.text for line in hidden)
            visible_text = _text_within(box, retyped)
            covered.append(Covered(text, visible_text, cover.kind, box))
    return place_loose(visible, retyped), covered


def _text_within(box: Box, lines: Sequence[Line]) -> str:
    texts: list[str] = []
    for line in lines:
        for word in line.words:
            if box.contains_centre_of(word.box):
                texts.append(word.text)
    return " ".join(texts)


def _layer_of(glyph: _Glyph, covers: Sequence[_Cover]) -> int:
    """Return 0 for plain text, 1 for text over a cover that hides text, and 2 or more for text
    under a cover.
    """
    layer = 0
    if glyph.style.order < 0 or glyph.style.invisible:
        return layer
    for index, cover in enumerate(covers):
        if cover.holds(glyph):
            if glyph.style.order < cover.order:
                return 2 + index
            layer = 1
    return layer


def _lines(
    number: int, transform: Affine, glyphs: Sequence[_Glyph | None], drawing: _Drawing
) -> list[Line]:
    lines: list[Line] = []
    words: list[Word] = []
    run: list[_Glyph] = []
    for glyph in (*glyphs, None):
        if glyph is not None and glyph.char != " ":
            run.append(glyph)
            continue
        if run:
            words.append(_word(number, transform, run, drawing))
            run = []
        if glyph is None and words:
            is_mixed = any(is_right_to_left(word.text) for word in words)
            order = words_in_order if is_mixed else in_place
            lines.append(Line(tuple(order(words))))
            words = []
    return lines


def _word(
    number: int, transform: Affine, run: Sequence[_Glyph], drawing: _Drawing
) -> Word:
    style = run[0].style
    text = letters_in_order([(glyph.char, glyph.rectangle[0]) for glyph in run])
    rectangles = [glyph.rectangle for glyph in run]
    lefts, bottoms, rights, tops = zip(*rectangles, strict=True)
    rectangle = (min(lefts), min(bottoms), max(rights), max(tops))
    box = transform.box(number, rectangle)
    return Word(
        text,
        box,
        font=style.font,
        embedded=style.embedded,
        hidden=drawing.hiding(style),
        digit_fonts=_fonts_of_digits(run),
    )


def _fonts_of_digits(run: Sequence[_Glyph]) -> tuple[str, ...]:
    """Return the fonts of the digits, if they are in more than one."""
    fonts = dict.fromkeys(glyph.style.font for glyph in run if glyph.char.isdigit())
    return tuple(fonts) if len(fonts) > 1 else ()


def _form_line(transform: Affine, widget: Widget) -> Line:
    """Return a form value as words in its field, aligned as the field says.

    The words share the width.
    """
    box = transform.box(widget.page, widget.rectangle)
    letters = len(widget.value)
    # The width of a letter is estimated: less than the height of the line, and small enough that
    # all letters fit.
    step = min(box.width / max(letters, 1), 0.6 * box.height)
    free = max(box.width - step * letters, 0.0)
    placed = []
    left = box.x0 + widget.aligned * free
    for word in widget.value.split():
        right = min(left + step * len(word), box.x1)
        place = Box(box.page, round(left, 5), box.y0, round(right, 5), box.y1)
        placed.append(Word(word, place, source="form value"))
        left += step * (len(word) + 1)
    return Line(tuple(placed))
