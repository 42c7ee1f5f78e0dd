"""A digit of a scan that was cut out and put down in another number, to the dot."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from checks.base import Indicator
from checks.document_fraud_check.page.pictures import duplicated_glyphs
from checks.evidence import Evidence

FONT = ImageFont.load_default(22)
# Left, top, right and bottom of the copied digit, and where it is put down.
DIGIT = (160, 262, 178, 290)
PLACE = (421, 507)


def page(grain: float) -> Image.Image:
    """A page of numbered lines, as a scanner gives it with this spread of grey values."""
    drawn = Image.new("L", (900, 1200), 240)
    draw = ImageDraw.Draw(drawn)
    for row in range(26):
        number = 8_412_773 + row * 10_919
        draw.text(
            (80, 60 + row * 40),
            f"Line {row} {number} of the account {number * 3}",
            fill=40,
            font=FONT,
        )
    soft = np.asarray(drawn.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float64)
    noise = np.random.default_rng(7).normal(0, grain, soft.shape) if grain else 0
    return Image.fromarray(np.clip(soft + noise, 0, 255).astype(np.uint8))


def changed(picture: Image.Image) -> Image.Image:
    picture = picture.copy()
    picture.paste(picture.crop(DIGIT), PLACE)
    return picture


def finding(picture: Image.Image, kind: str = "PNG") -> Indicator | None:
    out = io.BytesIO()
    picture.save(out, kind)
    result = duplicated_glyphs(Evidence(out.getvalue(), arguments={"ocr": "off"}))
    assert result is None or isinstance(result, Indicator)
    return result


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_a_digit_that_was_copied_is_found_with_its_source(kind):
    scan = page(4.0)

    assert finding(scan, kind) is None
    result = finding(changed(scan), kind)

    assert result is not None
    assert result.type == "RISK"
    places = sorted((box.x0 * 900, box.y0 * 1200) for box in result.boxes)
    assert places[0] == pytest.approx(DIGIT[:2], abs=8)
    assert places[1] == pytest.approx(PLACE, abs=8)


def test_letters_that_a_program_drew_are_equal_everywhere():
    assert finding(page(0)) is None
    assert finding(changed(page(0))) is None


def test_a_pattern_that_goes_on_equal_to_itself_is_no_copy():
    rows = np.random.default_rng(3).integers(0, 250, (7, 40), dtype=np.uint8)
    scan = page(4.0)
    scan.paste(Image.fromarray(np.tile(rows, (4, 1))), (850, 300))

    assert finding(scan) is None
    apart = page(4.0)
    for top in (300, 507):
        apart.paste(Image.fromarray(np.tile(rows, (1, 1))), (850, top))
    assert finding(apart) is not None
