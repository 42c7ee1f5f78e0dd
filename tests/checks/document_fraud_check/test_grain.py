"""A word of a scan that was painted over with one value of grey."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFilter

from checks.base import Indicator
from checks.document_fraud_check.page import pictures
from checks.evidence import Evidence
from tests.checks.document_fraud_check.editing import picture_of
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of
from tests.checks.documents import indicators_of, make_pdf

LINES = "\n".join(
    f"line {number} of the annual return of the company with its shares and members"
    for number in range(38)
)
DOCUMENT = make_pdf(f"Company number 5594810\n{LINES}")
# Where a word of the eleventh line stands, in parts of the page.
PLACE = (0.3, 0.29, 0.46, 0.308)


def patched(
    page: Image.Image, *, place: tuple[float, float, float, float] = PLACE
) -> Image.Image:
    """The page with a word painted over, and another one written there."""
    page = page.copy()
    left, top, right, bottom = place
    frame = (
        left * page.width,
        top * page.height,
        right * page.width,
        bottom * page.height,
    )
    draw = ImageDraw.Draw(page)
    draw.rectangle(frame, fill=(246, 246, 244))
    draw.text((frame[0] + 12, frame[1] + 6), "97 31 55", fill=(40, 40, 40))
    return page


def saved(page: Image.Image, kind: str = "PNG", **options: int) -> bytes:
    out = io.BytesIO()
    page.save(out, kind, **options)
    return out.getvalue()


def places(file: bytes) -> list[tuple[float, float]]:
    result = pictures.patch_without_grain(Evidence(file))
    if result is None:
        return []
    assert isinstance(result, Indicator)
    return [(box.x0, box.y0) for box in result.boxes]


@pytest.mark.parametrize(
    ("kind", "options"), [("PNG", {}), ("JPEG", {"quality": 95}), ("TIFF", {})]
)
def test_a_painted_patch_is_shown_at_its_place(kind, options):
    ((x, y),) = places(saved(patched(scan_of(DOCUMENT)), kind, **options))

    assert x == pytest.approx(PLACE[0], abs=0.02)
    assert y == pytest.approx(PLACE[1], abs=0.02)


def test_it_is_a_weak_sign():
    found = indicators_of(saved(patched(scan_of(DOCUMENT))))

    assert found["patch_without_grain"]["type"] == "RISK"
    assert not found["patch_without_grain"]["strong"]


@pytest.mark.sweep
def test_a_scan_without_a_patch_has_none():
    for quality in (60, 75, 85, 95):
        assert not places(saved(scan_of(DOCUMENT), "JPEG", quality=quality))
    assert not places(saved(scan_of(DOCUMENT)))
    assert not places(saved(scan_of(DOCUMENT, noise=0.02)))


@pytest.mark.sweep
def test_on_a_page_without_grain_nothing_is_concluded():
    assert not places(saved(patched(picture_of(DOCUMENT))))
    cleaned = scan_of(DOCUMENT).point(lambda value: 255 if value > 200 else value)
    assert not places(saved(patched(cleaned)))


@pytest.mark.sweep
def test_a_strip_at_the_edge_is_added_by_programs_for_scanning():
    strip = (0.0, 0.0, 1.0, 0.02)

    assert not places(saved(patched(scan_of(DOCUMENT), place=strip)))


@pytest.mark.sweep
def test_clipped_light_is_no_patch():
    """A lamp above the paper: its light grows towards the middle, and there is no edge."""
    page = scan_of(DOCUMENT)
    lamp = Image.new("L", page.size, 0)
    ImageDraw.Draw(lamp).ellipse((300, 300, 700, 700), fill=120)
    lamp = lamp.filter(ImageFilter.GaussianBlur(90))
    lit = Image.composite(Image.new("RGB", page.size, (255, 255, 255)), page, lamp)

    assert not places(saved(lit))
