"""Words that annotations of a page erase: a white box of a reader program, for example."""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pypdfium2 as pdfium

from checks.readers.pdf import tunables
from checks.readers.pdf.overlays.drawings import Canvas, Pixels
from checks.readers.pdf.pages import NOT_DRAWN
from papers import pdf
from papers.geometry import Box


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
    except NOT_DRAWN:
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
