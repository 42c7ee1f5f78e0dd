"""Pages as pixels, for OCR and for the visual inspection."""

# The binding of PDFium is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from contextlib import closing

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from PIL import ImageOps

from checks.readers.pictures.files import open_picture
from papers import pages, pdf
from papers.errors import MalformedError
from papers.formats import format_of
from papers.pictures import on_paper, smaller

Pixels = npt.NDArray[np.uint8]

# A sheet of A3 at 250 dpi. Larger pages are drawn at a lower resolution.
MAX_PIXELS = 12_000_000
# The resolution that a picture file states is often wrong. Its longer side is assumed to be that of
# A4.
LONG_SIDE_INCHES = 11.7


def draw_page(content: bytes, number: int, *, dpi: int) -> Pixels:
    """Draw a page (counted from 1) as it is displayed: an array of height x width x RGB.

    The resolution is `dpi`, or less if the page would have more than MAX_PIXELS. Raises
    MalformedError if the page cannot be drawn, and TooLargeError if drawing it would not be safe.
    """
    if format_of(content) == "pdf":
        return _draw_pdf(content, number, dpi)
    return _draw_picture(content, number, dpi)


def _draw_pdf(content: bytes, number: int, dpi: int) -> Pixels:
    try:
        with closing(pdf.open_document(content)) as document:
            document.init_forms()  # before a page is loaded, else the fields of forms stay blank
            with closing(document[number - 1]) as page:
                width, height = page.get_size()
                scale = pages.scale_within(MAX_PIXELS, width, height, dpi / 72)
                return np.array(pages.render(page, scale))
    except (pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError) as exc:
        raise MalformedError(type(exc).__name__) from exc


def _draw_picture(content: bytes, number: int, dpi: int) -> Pixels:
    longest = round(dpi * LONG_SIDE_INCHES)
    with open_picture(content) as image:
        image.seek(number - 1)
        if image.format == "JPEG":
            # JPEG can be decoded at a fraction of its size, which saves time and memory.
            image.draft("RGB", (longest, longest))
        page = on_paper(ImageOps.exif_transpose(image))
        width, height = page.size
        by_pixels = pages.scale_within(MAX_PIXELS, width, height, 1.0)
        by_side = longest / max(width, height)
        return np.asarray(smaller(page, min(by_pixels, by_side)))
