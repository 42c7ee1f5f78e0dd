"""Draws the pages of an untrusted file as images and words.

It runs in a child process (compliance.work.isolation). An analyst's browser gets only what is drawn
here, and never parses a file that an applicant sent.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
import io
import math
import re
from collections.abc import Iterator
from contextlib import closing
from typing import TypedDict

import pypdfium2 as pdfium
import pypdfium2.raw as c
from PIL import Image, ImageOps, ImageSequence

from papers import pdf
from papers.errors import (
    MalformedError,
    NoPagesError,
    TooLargeError,
    UnknownFormatError,
)
from papers.formats import format_of
from papers.pictures import on_paper, open_picture, smaller
from papers.words import Word, words_of

MAX_PAGES = 50
DPI = 150
MAX_WIDTH = 2200
MAX_PIXELS = 40_000_000
MAX_SIDE = 16_000  # WebP allows at most 16,383
MAX_SOURCE_PIXELS = 100_000_000  # of a picture, which must be decoded as a whole
# An image is encoded with the first of these qualities that keeps it within MAX_BYTES.
MAX_BYTES = 200 << 10
QUALITIES = (80, 60, 40)
# PDFium brings fonts for Latin letters. For others it needs those of the file or of the machine.
NOT_LATIN = re.compile("[\u0370-\u1dff\u2c00-\ufaff]")
MAX_DEPTH = 8  # of forms within forms
LONGEST_TEXT = 4096  # bytes of one text object that are looked at


class DrawnPage(TypedDict):
    """A page as the child process sends it."""

    number: int  # from 1
    of: int  # how many pages the file has
    width: int  # pixels
    height: int
    image: bytes  # WebP
    words: list[Word]  # places are fractions of the displayed page, from top left
    lacks_font: bool  # letters may be missing in the image


def draw(content: bytes) -> Iterator[DrawnPage]:
    """Yield the pages of a PDF or a picture in order, at most MAX_PAGES.

    Raises UnreadableError.
    """
    kind = format_of(content)
    if kind == "other":
        raise UnknownFormatError
    read = _draw_pdf if kind == "pdf" else _draw_picture
    yield from read(content)


def render(page: pdfium.PdfPage, scale: float) -> Image.Image:
    """A page of a PDF as an RGB image. `scale` is the number of pixels per point."""
    with closing(page.render(scale=scale)) as bitmap:
        image: Image.Image = bitmap.to_pil()
        # Copy it: the memory of the bitmap is freed when the bitmap is closed.
        return image.convert("RGB")


def scale_within(max_pixels: int, width: float, height: float, scale: float) -> float:
    """The largest scale, at most `scale`, at which a page has no more than `max_pixels`."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise MalformedError("a page without a size")
    return min(scale, math.sqrt(max_pixels / (width * height)))


def _draw_pdf(content: bytes) -> Iterator[DrawnPage]:
    with closing(pdf.open_document(content)) as document:
        # This must happen before a page is loaded. Otherwise the fields of forms are drawn empty.
        document.init_forms()
        count = len(document)
        if not count:
            raise NoPagesError
        for index in range(min(count, MAX_PAGES)):
            try:
                page = document[index]
            except pdfium.PdfiumError as exc:
                raise MalformedError from exc
            with closing(page):
                width, height = page.get_size()
                scale = _fitting(width, height, DPI / 72)
                # PDFium rounds up. A rounding error would make 792 pt 1,651 pixels instead of
                # 1,650.
                scale *= 1 - 1e-9
                image = render(page, scale)
                words = words_of(page)
                yield _page(
                    index + 1, count, image, words, lacks_font=_lacks_font(page, words)
                )


def _draw_picture(content: bytes) -> Iterator[DrawnPage]:
    with open_picture(content) as picture:
        count = getattr(picture, "n_frames", 1)
        for number, frame in enumerate(ImageSequence.Iterator(picture), start=1):
            if number > MAX_PAGES:
                return
            yield _page(number, count, _display(frame), [], lacks_font=False)


def _display(frame: Image.Image) -> Image.Image:
    """A frame as viewers show it: rotated as its EXIF data say, on white, within our limits."""
    width, height = frame.size
    if width * height > MAX_SOURCE_PIXELS:
        raise TooLargeError
    scale = _fitting(width, height, 1.0)
    if frame.format == "JPEG":
        # A JPEG can be decoded at half or a quarter of its size, which takes less time and memory.
        frame.draft("RGB", (int(width * scale), int(height * scale)))
    image = on_paper(ImageOps.exif_transpose(frame))
    return smaller(image, _fitting(image.width, image.height, 1.0))


def _fitting(width: float, height: float, scale: float) -> float:
    """The largest scale, at most `scale`, at which the page is within our limits."""
    by_pixels = scale_within(MAX_PIXELS, width, height, scale)
    return min(by_pixels, MAX_WIDTH / width, MAX_SIDE / height)


def _lacks_font(page: pdfium.PdfPage, words: list[Word]) -> bool:
    """Whether letters other than Latin ones are in a font that the file does not bring."""
    if not any(NOT_LATIN.search(word[0]) for word in words):
        return False
    with closing(page.get_textpage()) as textpage:
        kind = [c.FPDF_PAGEOBJ_TEXT]
        for thing in page.get_objects(filter=kind, max_depth=MAX_DEPTH):
            font = c.FPDFTextObj_GetFont(thing.raw)
            if not font or c.FPDFFont_GetIsEmbedded(font):
                continue
            buffer = ctypes.create_string_buffer(LONGEST_TEXT)
            letters = ctypes.cast(buffer, ctypes.POINTER(c.FPDF_WCHAR))
            c.FPDFTextObj_GetText(thing.raw, textpage, letters, LONGEST_TEXT)
            if NOT_LATIN.search(buffer.raw.decode("utf-16-le", "ignore")):
                return True
    return False


def _page(
    number: int, count: int, image: Image.Image, words: list[Word], *, lacks_font: bool
) -> DrawnPage:
    return {
        "number": number,
        "of": max(count, number),
        "width": image.width,
        "height": image.height,
        "image": _webp(image),
        "words": words,
        "lacks_font": lacks_font,
    }


def _webp(image: Image.Image) -> bytes:
    """The image as WebP. Only photographs and dense scans need a lower quality than the first."""
    encoded = b""
    for quality in QUALITIES:
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=4)
        encoded = buffer.getvalue()
        if len(encoded) <= MAX_BYTES:
            break
    return encoded
