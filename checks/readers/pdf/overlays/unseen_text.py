"""Text that a program reads on a page and nobody sees, with nothing at its place.

It has the colour of the paper, is too small, is cut away, lies beyond the edge of the page or in a layer
that is off. `hidden_text` is about text that something else lies over.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.readers.pdf import tunables
from checks.readers.pdf.overlays.drawings import (
    Canvas,
    Drawing,
    drawings_of,
    read_pages,
    shared,
    text_of,
    unseen,
)
from checks.readers.pdf.overlays.hidden_text import Hidden


def unseen_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Return the text of the given pages (from 1) that cannot be seen."""
    return read_pages(content, pages, _of_page)


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    drawings = drawings_of(page)
    # The text of a scan lies behind its picture.
    if any(drawing.is_ground for drawing in drawings):
        return []
    pictures = [each for each in drawings if each.thing.type == c.FPDF_PAGEOBJ_IMAGE]
    texts = []
    for drawing in drawings:
        if drawing.is_text and not _is_on_picture(drawing, pictures):
            texts.append(drawing)
    if not texts:
        return []
    width, height = page.get_size()
    canvas = Canvas(page, width, height)
    pieces: list[Hidden] = []
    with closing(page.get_textpage()) as textpage:
        for drawing in unseen(canvas, texts):
            text = " ".join(text_of(textpage, drawing).split())
            if text:
                box = canvas.box(number, drawing.rectangle)
                pieces.append(
                    Hidden(
                        text[: tunables.LONGEST_TEXT], box, dark=False, invisible=True
                    )
                )
    return pieces


def _is_on_picture(text: Drawing, pictures: Sequence[Drawing]) -> bool:
    """Whether the text lies on a picture: programs for OCR put what they read there."""
    for picture in pictures:
        if shared(picture.rectangle, text.rectangle) >= tunables.COVERED:
            return True
    return False
