"""Certificates and articles with or without each mark: seals, signatures, stamps, codes.

Marks are vectors, pictures, or scanned: straight, turned, skewed and faint.
"""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import pypdfium2 as pdfium
from PIL import Image, ImageEnhance, ImageFilter
from reportlab.graphics import renderPDF
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color, black
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from checks.samples.certificate import Certificate
from checks.samples.drawing import PEN, draw_registry_seal, draw_seal, draw_signature

WIDTH, HEIGHT = LETTER
BLUE, RED, GREY = (
    Color(0.11, 0.16, 0.51),
    Color(0.65, 0.08, 0.1),
    Color(0.62, 0.62, 0.64),
)
Made = Literal["vector", "picture"]
DPI = 150


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks on the page. `ink` is the colour of the seal, `scale` its size.

    A `small` seal is that of a register, of less than half an inch. `oval` is the width of the seal
    divided by its height. `pen` is the colour of the signature, `hand` its size.
    """

    seal: bool = True
    signature: bool = True
    production: Made = "vector"
    ink: Color = BLUE
    scale: float = 1.0
    code: str = ""
    small: bool = False
    oval: float = 1.0
    pen: Color = PEN
    hand: float = 1.0


@dataclass(frozen=True, slots=True)
class Scan:
    """How a page was scanned: degrees of skew, quarter turns, and contrast (1 is good)."""

    askew: float = 0.6
    turned: int = 0
    contrast: float = 1.0


def draw_marked_certificate(certificate: Certificate, marks: Marks) -> bytes:
    """Draw a plain certificate of incorporation without a frame, with the given marks."""
    canvas, buffer = _canvas(certificate)
    _lines(
        canvas,
        HEIGHT - 120,
        "CERTIFICATE OF INCORPORATION",
        f"Company Number {certificate.file_number}",
        "The Registrar of Companies hereby certifies that",
        certificate.company,
        "is this day incorporated under the laws of the State of Delaware.",
        f"Given at {certificate.city}, Delaware on {certificate.incorporated:%d %B %Y}.",
    )
    if marks.seal:
        _put_seal(canvas, marks)
    if marks.signature:
        _put_signature(canvas, certificate, marks, 350, 210)
    _line_to_sign(canvas, 340, 200, "Registrar of Companies")
    if marks.code:
        _put_code(canvas, marks.code)
    return _closed(canvas, buffer)


def draw_articles(certificate: Certificate, marks: Marks) -> bytes:
    """Draw articles of incorporation that end with a signature line."""
    canvas, buffer = _canvas(certificate)
    _lines(
        canvas,
        HEIGHT - 100,
        "ARTICLES OF INCORPORATION",
        "ARTICLE I. Name",
        f"The name of this corporation is {certificate.company}",
        "ARTICLE II. Purpose",
        f"The purpose of the corporation is to {certificate.purpose}.",
        "ARTICLE III. Registered agent",
        f"{certificate.officer}, {certificate.street}, {certificate.city}, DE {certificate.postal_code}",
        "In witness whereof, the incorporator has executed these Articles of Incorporation.",
    )
    if marks.signature:
        _put_signature(canvas, certificate, marks, 160, 280)
    canvas.setFont("Times-Roman", 11)
    canvas.drawString(96, 270, "Signature:")
    _line_to_sign(canvas, 150, 268, f"{certificate.officer}, Incorporator")
    return _closed(canvas, buffer)


def scan_page(content: bytes, seed: int, how: Scan) -> bytes:
    """Return the first page as a grainy picture on a page, without text."""
    picture = _render(content).rotate(
        how.askew, Image.Resampling.BICUBIC, fillcolor="white"
    )
    picture = ImageEnhance.Contrast(picture).enhance(how.contrast)
    if how.contrast < 1:
        picture = ImageEnhance.Brightness(picture).enhance(1.25)
    picture = picture.rotate(90 * how.turned, expand=True).filter(
        ImageFilter.GaussianBlur(0.6)
    )
    noise = random.Random(seed).randbytes(picture.width * picture.height)  # noqa: S311
    grain = Image.frombytes("L", picture.size, noise).convert("RGB")
    return _as_page(Image.blend(picture, grain, 0.05))


def _canvas(certificate: Certificate) -> tuple[Canvas, io.BytesIO]:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=LETTER, invariant=1)
    canvas.setDateFormatter(lambda *_: f"D:{certificate.certified:%Y%m%d}101500Z")
    canvas.setCreator("Division of Corporations document service")
    return canvas, buffer


def _closed(canvas: Canvas, buffer: io.BytesIO) -> bytes:
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _lines(canvas: Canvas, top: float, title: str, *lines: str) -> None:
    canvas.setFont("Times-Bold", 18)
    canvas.drawCentredString(WIDTH / 2, top, title)
    canvas.setFont("Times-Roman", 12)
    for row, line in enumerate(lines):
        canvas.drawString(96, top - 50 - 30 * row, line)


def _line_to_sign(canvas: Canvas, x: float, y: float, below: str) -> None:
    canvas.setStrokeColor(black)
    canvas.setLineWidth(0.7)
    canvas.line(x, y, x + 180, y)
    canvas.setFont("Times-Roman", 10)
    canvas.drawString(x + 4, y - 13, below)


def _put_seal(canvas: Canvas, marks: Marks) -> None:
    words = "REGISTRAR OF COMPANIES  *  STATE OF DELAWARE  *  "
    if marks.production == "picture":
        canvas.drawImage(
            _picture(lambda c: draw_seal(c, 70, 70, words, marks.ink), 140),
            120,
            150,
            140,
            140,
        )
        return
    canvas.saveState()
    canvas.translate(190, 220)
    scale = marks.scale * (0.3 if marks.small else 1)
    canvas.scale(scale * marks.oval, scale)
    draw = draw_registry_seal if marks.small else draw_seal
    draw(canvas, 0, 0, words, marks.ink)
    canvas.restoreState()


def _put_signature(
    canvas: Canvas, certificate: Certificate, marks: Marks, x: float, y: float
) -> None:
    if marks.production == "picture":
        picture = _picture(
            lambda c: draw_signature(c, 8, 20, certificate.seed), 180, 70
        )
        canvas.drawImage(picture, x - 8, y - 20, 180, 70, mask=[240, 255] * 3)
    else:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(marks.hand, marks.hand)
        draw_signature(canvas, 0, 0, certificate.seed, marks.pen)
        canvas.restoreState()


def _put_code(canvas: Canvas, text: str) -> None:
    widget = QrCodeWidget(text, barLevel="M")
    x0, y0, x1, y1 = widget.getBounds()
    size = 90
    drawing = Drawing(
        size, size, transform=[size / (x1 - x0), 0, 0, size / (y1 - y0), 0, 0]
    )
    drawing.add(widget)
    renderPDF.draw(drawing, canvas, WIDTH - 186, 60)


def _picture(
    draw: Callable[[Canvas], None], width: float, height: float = 0
) -> ImageReader:
    """Return a drawing as a picture."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(width, height or width), invariant=1)
    draw(canvas)
    return ImageReader(_render(_closed(canvas, buffer)))


def _render(content: bytes) -> Image.Image:
    with closing(pdfium.PdfDocument(content)) as document, closing(document[0]) as page:
        picture: Image.Image = page.render(scale=DPI / 72).to_pil()
        return picture.convert("RGB").copy()


def _as_page(picture: Image.Image) -> bytes:
    jpeg, out = io.BytesIO(), io.BytesIO()
    picture.save(jpeg, "JPEG", quality=75)
    jpeg.seek(0)
    width, height = (side * 72 / DPI for side in picture.size)
    canvas = Canvas(out, pagesize=(width, height), invariant=1)
    canvas.drawImage(ImageReader(jpeg), 0, 0, width, height)
    return _closed(canvas, out)
