"""Pages as pixels, for whoever must look at them: OCR, and the inspection by eye."""

# The binding of PDFium is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from PIL import Image, ImageOps

from checks.readers.images import open_picture
from checks.readers.pdf_structure import MalformedError

Pixels = npt.NDArray[np.uint8]

# A sheet of A3 at 250 dpi. What is larger is drawn at a lower resolution.
MAX_PIXELS = 12_000_000
# Of a picture file, whose own resolution says nothing: its longer side is taken for that of A4.
LONG_SIDE_INCHES = 11.7


def draw_page(content: bytes, number: int, *, dpi: int) -> Pixels:
    """A page, counted from 1, as it is displayed: an array of height x width x RGB.

    The resolution is `dpi`, or less where the page would have more than MAX_PIXELS. Raises
    MalformedError where the page cannot be drawn, TooLargeError where that would not be safe.
    """
    if content.startswith(b"%PDF-"):
        return _draw_pdf(content, number, dpi)
    return _draw_picture(content, number, dpi)


def _draw_pdf(content: bytes, number: int, dpi: int) -> Pixels:
    try:
        with closing(pdfium.PdfDocument(content)) as document:
            document.init_forms()  # before a page is loaded, else the fields of forms stay blank
            with closing(document[number - 1]) as page:
                width, height = page.get_size()
                scale = _fitting(width, height, dpi / 72)
                with closing(page.render(scale=scale, rev_byteorder=True)) as bitmap:
                    drawn = bitmap.to_numpy()
                    # The bitmap's memory goes with it.
                    return np.ascontiguousarray(drawn[:, :, :3] if drawn.ndim == 3 else _rgb(drawn))
    except (pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError) as exc:
        raise MalformedError(type(exc).__name__) from exc


def _rgb(grey: Pixels) -> Pixels:
    return np.repeat(grey[:, :, np.newaxis], 3, axis=2)


def _draw_picture(content: bytes, number: int, dpi: int) -> Pixels:
    longest = round(dpi * LONG_SIDE_INCHES)
    with open_picture(content) as image:
        image.seek(number - 1)
        if image.format == "JPEG":
            image.draft("RGB", (longest, longest))  # decodes at a fraction where that is enough
        shown = on_paper(ImageOps.exif_transpose(image))
        scale = min(_fitting(*shown.size, 1.0), longest / max(shown.size))
        if scale < 1:
            size = max(1, round(shown.width * scale)), max(1, round(shown.height * scale))
            shown = shown.resize(size, Image.Resampling.LANCZOS)
        return np.asarray(shown)


def on_paper(image: Image.Image) -> Image.Image:
    """In RGB, 16 bits taken to 8, and what is transparent on white."""
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    if "transparency" in image.info or image.mode in {"RGBA", "LA", "PA", "RGBa", "La"}:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper
    return image.convert("RGB")


def _fitting(width: float, height: float, scale: float) -> float:
    return min(scale, math.sqrt(MAX_PIXELS / (width * height)))
