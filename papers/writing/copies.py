"""Makes a PDF from drawn pages: their pictures, with the words as invisible text on top.

Nothing else of the original file gets into it.
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
from papers.words import Word
from papers.writing.report import EAST_ASIAN, east_asian_font

QUALITY = (
    85  # of JPEG: every PDF viewer shows it, while the pictures are stored as WebP
)
INVISIBLE = 3  # PDF's number for text that is neither filled nor outlined
NOTE_SIZE = 11
MARGIN = 56


@dataclass(frozen=True)
class DrawnPage:
    """A page: its picture as WebP, and its words.

    Places are fractions of the page, from top left.
    """

    image: IO[bytes]
    words: Sequence[Word]


def compose(pages: Iterable[DrawnPage], *, title: str, note: str = "") -> bytes:
    """The pages as one PDF. With a `note`, a last page shows this text.

    `report.register_fonts` must have been called.
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
        # Pictures that we draw are smaller. The stored file may have been exchanged for another.
        if picture.width * picture.height > MAX_PIXELS:
            raise OSError("a picture of a page is too large")
        picture.convert("RGB").save(buffer, "JPEG", quality=QUALITY)
        size = picture.size
    buffer.seek(0)
    return buffer, size


def _write(canvas: Canvas, word: Word, width: float, height: float) -> None:
    """Write a word at its place, as wide as its box, so that a selection covers what people see."""
    text, x0, y0, x1, y1 = word
    # JSON can hold half of a surrogate pair, which is no character and which no font has.
    text = str(text).encode("utf-8", "replace").decode()
    run = EAST_ASIAN.search(text)
    font = east_asian_font(run) if run else REGULAR
    size = max(1.0, (y1 - y0) * height)
    natural = pdfmetrics.stringWidth(text, font, size)
    if natural <= 0:
        return
    # The base line of letters is about a fifth of the height above the lower edge of the box.
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
