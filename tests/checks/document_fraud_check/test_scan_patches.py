"""Patches with other words on a scan, put there as objects of the PDF."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.checks.documents import indicators_of

SIZE = (1240, 1754)
SCALE = 595 / SIZE[0]
# The frame of the number on the picture, in dots.
NUMBER = (600, 590, 860, 640)
LINES = (
    "CERTIFICATE OF INCORPORATION",
    "The registrar of companies hereby certifies that",
    "QUILLHAVEN TRADING LIMITED is incorporated",
    "under the Companies Act as a limited company.",
)


def scan() -> Image.Image:
    picture = Image.new("L", SIZE, 236)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(36)
    for number, line in enumerate(LINES):
        draw.text((140, 200 + 90 * number), line, fill=25, font=font)
    draw.text((140, 596), "Company number", fill=25, font=font)
    draw.text((610, 596), "20417733", fill=25, font=font)
    grain = np.random.default_rng(1).normal(0, 3, (SIZE[1], SIZE[0]))
    dots = np.clip(np.asarray(picture) + grain, 0, 255)
    return Image.fromarray(dots.astype(np.uint8))


def document(
    *, text: str = "", picture: str = "", at: tuple[int, ...] = NUMBER
) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, SIZE[1] * SCALE), invariant=1)
    canvas.drawImage(ImageReader(scan()), 0, 0, 595, SIZE[1] * SCALE)
    left, top, right, bottom = at
    x, y = left * SCALE, (SIZE[1] - bottom) * SCALE
    width, height = (right - left) * SCALE, (bottom - top) * SCALE
    if text:
        canvas.setFillGray(0.925)
        canvas.rect(x, y, width, height, stroke=0, fill=1)
        canvas.setFillGray(0.1)
        canvas.setFont("Helvetica", 17)
        canvas.drawString(x + 4, y + 6, text)
    if picture:
        piece = Image.new("L", (right - left, bottom - top), 236)
        font = ImageFont.load_default(36)
        ImageDraw.Draw(piece).text((10, 6), picture, fill=25, font=font)
        canvas.drawImage(ImageReader(piece), x, y, width, height)
    canvas.save()
    return buffer.getvalue()


@pytest.mark.parametrize(
    "patch",
    [{"text": "20419958"}, {"picture": "20419958"}],
    ids=["text", "picture"],
)
def test_another_number_on_a_patch_over_the_ink_of_a_scan(patch):
    result = indicators_of(document(**patch))["text_covered"]

    # The words below are read by OCR: a person decides.
    assert (result["type"], result["strong"]) == ("RISK", False)
    assert "20417733" in result["description"]
    assert "20419958" in result["description"]


@pytest.mark.parametrize(
    "patch",
    [
        {},
        # Programs that pack a scan store a word as a picture of its own.
        {"picture": "20417733"},
        # The label of an office, where the paper was empty.
        {"text": "Filed 0417", "at": (700, 60, 960, 110)},
    ],
    ids=["scan", "same word", "label"],
)
def test_patches_that_hide_nothing_are_no_risk(patch):
    assert "text_covered" not in indicators_of(document(**patch))
