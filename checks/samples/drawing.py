"""Frames, seals and signatures as vector drawings."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
import math
import random

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas

FRAME = Color(0.24, 0.36, 0.52)
PALE = Color(0.62, 0.70, 0.80)
PEN = Color(0.07, 0.10, 0.36)


def draw_frame(canvas: Canvas, width: float, height: float) -> None:
    """Draw a border of two lines with a braid of waves between them."""
    canvas.setStrokeColor(FRAME)
    for inset, weight in ((36, 1.6), (52, 0.7)):
        canvas.setLineWidth(weight)
        canvas.rect(inset, inset, width - 2 * inset, height - 2 * inset)
    canvas.setStrokeColor(PALE)
    canvas.setLineWidth(0.45)
    for phase in (0.0, math.pi / 2, math.pi, 3 * math.pi / 2):
        for across in (44.0, height - 44.0):
            _wave(canvas, 40, width - 40, across, phase, upright=False)
        for along in (44.0, width - 44.0):
            _wave(canvas, 40, height - 40, along, phase, upright=True)


def _wave(
    canvas: Canvas,
    start: float,
    end: float,
    level: float,
    phase: float,
    *,
    upright: bool,
) -> None:
    path = canvas.beginPath()
    steps = int((end - start) / 2)
    for index in range(steps + 1):
        at = start + (end - start) * index / steps
        off = level + 4.4 * math.sin(at / 5 + phase)
        x, y = (off, at) if upright else (at, off)
        if index:
            path.lineTo(x, y)
        else:
            path.moveTo(x, y)
    canvas.drawPath(path)


def draw_seal(canvas: Canvas, x: float, y: float, words: str, ink: Color) -> None:
    """Draw rings, a toothed edge, words around the circle, and a star with rays in the middle."""
    canvas.saveState()
    canvas.setStrokeColor(ink)
    canvas.setFillColor(ink)
    for radius, weight in ((57, 1.4), (54, 0.5), (39, 0.9), (36.5, 0.4)):
        canvas.setLineWidth(weight)
        canvas.circle(x, y, radius)
    canvas.setLineWidth(0.8)
    _rays(canvas, x, y, count=72, reach=(58, 61))
    _words_on_circle(canvas, x, y, 43.2, words)
    canvas.setLineWidth(0.35)
    _rays(canvas, x, y, count=36, reach=(22, 34))
    _star(canvas, x, y, 19)
    canvas.restoreState()


def _rays(
    canvas: Canvas, x: float, y: float, *, count: int, reach: tuple[float, float]
) -> None:
    """Draw short radial lines around the middle."""
    start, end = reach
    for index in range(count):
        angle = 2 * math.pi * index / count
        cos, sin = math.cos(angle), math.sin(angle)
        inner = (x + start * cos, y + start * sin)
        outer = (x + end * cos, y + end * sin)
        canvas.line(*inner, *outer)


def draw_registry_seal(
    canvas: Canvas, x: float, y: float, words: str, ink: Color
) -> None:
    """Draw two rings with words between them and an emblem, in the small form that
    registers print.
    """
    canvas.saveState()
    canvas.setStrokeColor(ink)
    canvas.setFillColor(ink)
    canvas.setLineWidth(1.6)
    for radius in (57, 41):
        canvas.circle(x, y, radius)
    _words_on_circle(canvas, x, y, 45, words, "Helvetica", 10)
    for width, low, high in ((24, -24, -14), (12, -14, 6), (20, 6, 22)):
        canvas.rect(x - width / 2, y + low, width, high - low, stroke=0, fill=1)
    canvas.restoreState()


def _words_on_circle(
    canvas: Canvas,
    x: float,
    y: float,
    radius: float,
    words: str,
    font: str = "Times-Bold",
    size: float = 8.2,
) -> None:
    canvas.setFont(font, size)
    step = 360 / len(words)
    for index, char in enumerate(words):
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(90 - index * step)
        canvas.translate(radius, 0)
        canvas.rotate(-90)
        canvas.drawCentredString(0, 0, char)
        canvas.restoreState()


def _star(canvas: Canvas, x: float, y: float, radius: float) -> None:
    path = canvas.beginPath()
    for index in range(10):
        angle = math.pi / 2 + index * math.pi / 5
        if index % 2 == 0:
            reach = radius
        else:
            reach = radius * 0.42
        point = (x + reach * math.cos(angle), y + reach * math.sin(angle))
        if index:
            path.lineTo(*point)
        else:
            path.moveTo(*point)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def draw_signature(
    canvas: Canvas, x: float, y: float, seed: int, pen: Color = PEN
) -> None:
    """Draw slanted loops from left to right with a flourish. Each seed has its own handwriting."""
    pick = random.Random(seed * 7919)  # noqa: S311 - variety, not secrecy
    heights = [pick.uniform(30, 38)]
    for _ in range(9):
        heights.append(pick.uniform(5, 11))
    # One more capital in the middle.
    heights[pick.randint(4, 6)] = pick.uniform(24, 32)
    canvas.saveState()
    canvas.setStrokeColor(pen)
    canvas.setLineCap(1)
    at = x
    for index, height in enumerate(heights):
        run = pick.uniform(9, 14) + height * 0.18
        width = pick.uniform(2.2, 4.6)
        _draw_loop(canvas, at, y, run, width, height)
        at += run
        if index:
            y += pick.uniform(-1, 1.2)
    path = canvas.beginPath()
    path.moveTo(at, y)
    path.curveTo(at + 26, y + 10, at - 10, y - 15, x + 30, y - 6)
    canvas.setLineWidth(0.9)
    canvas.drawPath(path)
    canvas.restoreState()


def _draw_loop(
    canvas: Canvas, x: float, y: float, run: float, width: float, height: float
) -> None:
    points = []
    for step in range(25):
        points.append(_pen(x, y, run, width, height, step / 24))
    for step, (start, end) in enumerate(itertools.pairwise(points)):
        # A pen presses harder on the way down.
        is_down = 9 < step < 20
        canvas.setLineWidth(1.5 if is_down else 0.8)
        canvas.line(*start, *end)


def _pen(
    x: float, y: float, run: float, width: float, height: float, part: float
) -> tuple[float, float]:
    """Return the position of the pen within one loop: a slanted trochoid, like a written l or e."""
    angle = 2 * math.pi * part
    rise = height * (1 - math.cos(angle)) / 2
    return x + run * part + width * math.sin(angle) + 0.3 * rise, y + rise
