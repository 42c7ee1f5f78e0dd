"""A PDF made from drawn pages: their pictures, and their words as invisible text.

Nothing of the file that the pages were drawn from is in it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from papers.fonts import REGULAR
from papers.pages import DPI, MAX_PIXELS
from papers.report import EAST_ASIAN, EAST_ASIAN_FONT
from papers.words import Word

QUALITY = 85  # of JPEG, which every PDF viewer shows; the pictures themselves are WebP
INVISIBLE = 3  # the mode of PDF in which text is neither filled nor outlined
NOTE_SIZE = 11
MARGIN = 56


@dataclass(frozen=True)
class DrawnPage:
    """A page: its picture as WebP, and its words in fractions of it, origin top left."""

    image: IO[bytes]
    words: Sequence[Word]


def compose(pages: Iterable[DrawnPage], *, title: str, note: str = "") -> bytes:
    """The PDF. A `note` is the text of a last page of its own.

    The fonts must be registered (`report.register_fonts`).
    """
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, initialFontName=REGULAR)
    canvas.setTitle(title)
    canvas.setCreator("Compliance desk")
    for page in pages:
        _draw(canvas, page)
    if note:
        _draw_note(canvas, note)
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, page: DrawnPage) -> None:
    picture, (pixels_wide, pixels_high) = _as_jpeg(page.image)
    width = pixels_wide * 72 / DPI
    height = pixels_high * 72 / DPI
    canvas.setPageSize((width, height))
    canvas.drawImage(ImageReader(picture), 0, 0, width, height)
    for word in page.words:
        _write(canvas, word, width, height)
    canvas.showPage()


def _as_jpeg(image: IO[bytes]) -> tuple[io.BytesIO, tuple[int, int]]:
    buffer = io.BytesIO()
    with Image.open(image, formats=("WEBP",)) as picture:
        # Our own are smaller. What lies in the store may be another.
        if picture.width * picture.height > MAX_PIXELS:
            raise OSError("a picture of a page is too large")
        picture.convert("RGB").save(buffer, "JPEG", quality=QUALITY)
        size = picture.size
    buffer.seek(0)
    return buffer, size


def _write(canvas: Canvas, word: Word, width: float, height: float) -> None:
    """A word at its place, as wide as its box, so that a selection covers what is seen."""
    text, x0, y0, x1, y1 = word
    # JSON can carry half a character, which no font has.
    text = str(text).encode("utf-8", "replace").decode()
    font = EAST_ASIAN_FONT if EAST_ASIAN.search(text) else REGULAR
    size = max(1.0, (y1 - y0) * height)
    natural = pdfmetrics.stringWidth(text, font, size)
    if natural <= 0:
        return
    # Letters stand on a line a fifth above the lower edge of their box.
    line = canvas.beginText(x0 * width, (1 - y1) * height + size / 5)
    line.setTextRenderMode(INVISIBLE)
    line.setFont(font, size)
    line.setHorizScale(100 * max(0.01, x1 - x0) * width / natural)
    line.textOut(f"{text} ")
    canvas.drawText(line)


def _draw_note(canvas: Canvas, note: str) -> None:
    width, height = 595, 842
    canvas.setPageSize((width, height))
    line = canvas.beginText(MARGIN, height - MARGIN)
    line.setFont(REGULAR, NOTE_SIZE)
    for text in note.splitlines():
        line.textLine(text)
    canvas.drawText(line)
    canvas.showPage()
