"""What a scanner makes of a page: a picture, slightly skewed and grainy."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from contextlib import closing
from datetime import date

import pypdfium2 as pdfium
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

DPI = 150
PAPER = (250, 249, 245)
ASKEW = 0.7
GRAIN = 0.06


def scan(content: bytes, *, seed: int, created: date) -> bytes:
    """Return the first page of a PDF as a scan: one JPEG on a page, without text."""
    picture = _grainy(
        _render(content).rotate(ASKEW, Image.Resampling.BICUBIC, fillcolor=PAPER), seed
    )
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=72)
    jpeg.seek(0)
    width, height = (side * 72 / DPI for side in picture.size)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(width, height), invariant=1)
    canvas.setDateFormatter(lambda *_: f"D:{created:%Y%m%d}093000Z")
    canvas.setCreator("Document scanner")
    canvas.drawImage(ImageReader(jpeg), 0, 0, width, height)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _render(content: bytes) -> Image.Image:
    with closing(pdfium.PdfDocument(content)) as document, closing(document[0]) as page:
        picture: Image.Image = page.render(scale=DPI / 72).to_pil()
        return picture.convert("RGB").copy()


def _grainy(picture: Image.Image, seed: int) -> Image.Image:
    width, height = picture.size
    # The noise comes from the seed, because that of Pillow cannot be reproduced.
    bytes_of_noise = random.Random(seed).randbytes(width * height)  # noqa: S311
    noise = Image.frombytes("L", picture.size, bytes_of_noise).convert("RGB")
    soft = picture.filter(ImageFilter.GaussianBlur(0.6))
    return Image.blend(soft, noise, GRAIN)
