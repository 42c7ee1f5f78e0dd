"""Round shapes and flourishes that are neither seals nor signatures."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping

from reportlab.lib.colors import Color, black, white
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from checks.samples.certificate import Certificate

RED, BLUE, GOLD = Color(0.8, 0.1, 0.1), Color(0.1, 0.3, 0.7), Color(0.85, 0.65, 0.1)
PALE, FAINT = Color(0.75, 0.75, 0.8), Color(0.86, 0.88, 0.93)
X, Y = 330, 250
TALL = "Thkbdl"
# The pieces of a pie: colour, first angle, and angle of the piece, in degrees.
PIECES = ((RED, 0, 120), (BLUE, 120, 75), (GOLD, 195, 100), (PALE, 295, 65))


def draw_lookalike(certificate: Certificate, kind: str) -> bytes:
    """Draw an unsigned letter about a company with one of `LOOKALIKES` in its lower part."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=LETTER, invariant=1)
    if kind.startswith("watermark"):
        LOOKALIKES[kind](canvas)
    canvas.setFillColor(black)
    canvas.setFont("Times-Roman", 12)
    text = (
        f"To {certificate.company}, {certificate.street}, {certificate.city}",
        f"Thank you for your business since {certificate.incorporated:%B %Y}.",
        "Our records show that no amount is due at the end of this quarter.",
        "Please keep this letter with your papers and call us with any question.",
    )
    for row in range(16):
        canvas.drawString(96, 690 - 18 * row, text[row % len(text)])
    if not kind.startswith("watermark"):
        LOOKALIKES[kind](canvas)
    canvas.setFillColor(black)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(
        96, 120, f"Sincerely, {certificate.officer}, Director of customer care"
    )
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _logo(canvas: Canvas, size: float, ink: Color) -> None:
    """Draw two rings around initials."""
    canvas.setStrokeColor(ink)
    canvas.setFillColor(ink)
    canvas.setLineWidth(1.2)
    canvas.circle(X, Y, size)
    canvas.circle(X, Y, 0.75 * size)
    canvas.setFont("Helvetica-Bold", 0.7 * size)
    canvas.drawCentredString(X, Y - 0.25 * size, "NW")


def _badge(canvas: Canvas) -> None:
    canvas.setFillColor(RED)
    canvas.circle(X, Y, 24, stroke=0, fill=1)
    canvas.setFillColor(white)
    canvas.setFont("Helvetica-Bold", 13)
    canvas.drawCentredString(X, Y + 1, "50%")
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(X, Y - 9, "OFF")


def _dial(canvas: Canvas, size: float, ticks: int) -> None:
    """Draw a clock face with even ticks and two hands."""
    canvas.setStrokeColor(black)
    canvas.circle(X, Y, size)
    for tick in range(ticks):
        _ray(canvas, 2 * math.pi * tick / ticks, 0.75 * size, 0.93 * size)
    _ray(canvas, 1.1, 0, 0.6 * size)
    _ray(canvas, 2.7, 0, 0.4 * size)


def _ray(canvas: Canvas, turn: float, start: float, end: float) -> None:
    cos, sin = math.cos(turn), math.sin(turn)
    canvas.line(X + start * cos, Y + start * sin, X + end * cos, Y + end * sin)


def _beads(canvas: Canvas, size: float, wide: float) -> None:
    """Draw an oval with a row of beads along its edge."""
    width = wide * size
    canvas.ellipse(X - width, Y - size, X + width, Y + size, stroke=1)
    canvas.setFillColor(BLUE)
    for bead in range(32):
        turn = 2 * math.pi * bead / 32
        across = 0.86 * width * math.cos(turn)
        up = 0.86 * size * math.sin(turn)
        canvas.circle(X + across, Y + up, 0.05 * size, stroke=0, fill=1)
    canvas.circle(X, Y, 0.6 * size, fill=1)


def _pie(canvas: Canvas) -> None:
    for colour, start, extent in PIECES:
        canvas.setFillColor(colour)
        canvas.wedge(X - 40, Y - 40, X + 40, Y + 40, start, extent, fill=1)


def _coin(canvas: Canvas) -> None:
    """Draw a milled edge and a head."""
    canvas.setFillColor(GOLD)
    canvas.circle(X, Y, 30, fill=1)
    for ray in range(90):
        _ray(canvas, 2 * math.pi * ray / 90, 27, 30)
    canvas.setFillColor(black)
    canvas.ellipse(X - 9, Y - 12, X + 8, Y + 15, fill=1)


def _wheel(canvas: Canvas) -> None:
    canvas.setLineWidth(2)
    canvas.circle(X, Y, 24)
    canvas.circle(X, Y, 6)
    for spoke in range(12):
        _ray(canvas, 2 * math.pi * spoke / 12, 6, 24)


def _face(canvas: Canvas) -> None:
    canvas.circle(X, Y, 20)
    canvas.setFillColor(black)
    canvas.circle(X - 7, Y + 6, 2, fill=1)
    canvas.circle(X + 7, Y + 6, 2, fill=1)
    canvas.arc(X - 11, Y - 12, X + 11, Y + 8, 200, 140)


def _words(
    canvas: Canvas, text: str, ink: Color, size: float, x: float, y: float
) -> None:
    """Draw words as outlines, so that the file has no text for them."""
    canvas.setFillColor(ink)
    canvas.setStrokeColor(ink)
    for step, char in enumerate(text):
        _glyph(canvas, char, x + 0.62 * size * step, y, size)


def _glyph(canvas: Canvas, char: str, x: float, y: float, size: float) -> None:
    """Draw a joined letter: one or two loops of even width."""
    canvas.setLineWidth(0.07 * size)
    canvas.setLineCap(1)
    rise = 0.35 * size
    if char in TALL:
        rise = 0.75 * size
    path = canvas.beginPath()
    path.moveTo(x, y + 0.1 * size)
    path.curveTo(
        x + 0.5 * size, y + rise, x + 0.2 * size, y + 1.2 * rise, x + 0.2 * size, y
    )
    end = (x + 0.62 * size, y + 0.1 * size)
    path.curveTo(x + 0.3 * size, y - 0.05 * size, x + 0.5 * size, y, *end)
    canvas.drawPath(path)


def _watermark(canvas: Canvas, ink: Color) -> None:
    """Draw large slanted print under the text."""
    canvas.saveState()
    canvas.translate(180, 380)
    canvas.rotate(35)
    _words(canvas, "Duplicata", ink, 70, 0, 0)
    canvas.restoreState()


ROUND: Mapping[str, Callable[[Canvas], None]] = {
    "small logo": lambda canvas: _logo(canvas, 20, RED),
    "logo": lambda canvas: _logo(canvas, 44, BLUE),
    "badge": _badge,
    "small clock": lambda canvas: _dial(canvas, 18, 60),
    "clock": lambda canvas: _dial(canvas, 40, 60),
    "gauge": lambda canvas: _dial(canvas, 30, 36),
    "beads": lambda canvas: _beads(canvas, 22, 1.0),
    "oval beads": lambda canvas: _beads(canvas, 22, 1.1),
    "pie": _pie,
    "coin": _coin,
    "wheel": _wheel,
    "face": _face,
}
WRITTEN: Mapping[str, Callable[[Canvas], None]] = {
    "watermark": lambda canvas: _watermark(canvas, FAINT),
    "watermark in grey": lambda canvas: _watermark(canvas, PALE),
    "pale script": lambda canvas: _words(canvas, "Thankyou", PALE, 40, 250, 200),
    "pale small script": lambda canvas: _words(canvas, "Thankyou", FAINT, 24, 330, 200),
}
LOOKALIKES = {**ROUND, **WRITTEN}
