"""A place of a scan that was put there after the scan had been saved as a JPEG."""

from __future__ import annotations

import io

import pikepdf
import pytest
from PIL import ExifTags, Image, ImageDraw, ImageFilter, ImageFont, ImageOps

from checks.base import Indicator
from checks.document_fraud_check.page import pictures
from checks.evidence import Evidence
from checks.readers.pictures.forensics import read_pictures
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of
from tests.checks.document_fraud_check.test_grain import DOCUMENT
from tests.checks.documents import indicators_of

# Where a word of the eleventh line stands, in parts of the page.
PLACE = (0.3, 0.29, 0.46, 0.308)


def jpeg(page: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    page.save(out, "JPEG", quality=quality)
    return out.getvalue()


def png(page: Image.Image) -> bytes:
    out = io.BytesIO()
    page.save(out, "PNG")
    return out.getvalue()


def first_save(quality: int = 70) -> Image.Image:
    """A scan as the scanner saved it."""
    return Image.open(io.BytesIO(jpeg(scan_of(DOCUMENT), quality)))


def frame_of(page: Image.Image) -> tuple[int, int, int, int]:
    left, top, right, bottom = PLACE
    return (
        round(left * page.width),
        round(top * page.height),
        round(right * page.width),
        round(bottom * page.height),
    )


def with_words_moved(page: Image.Image) -> Image.Image:
    """A word of the page is covered with another piece of the same page, grain and all."""
    page = page.copy()
    left, top, right, bottom = frame_of(page)
    piece = page.crop((left, top + 203, right, bottom + 203))
    page.paste(piece, (left, top))
    return page


def with_words_typed(page: Image.Image) -> Image.Image:
    """A word of the page is painted over, another one is typed, and both are made soft."""
    page = page.copy()
    frame = frame_of(page)
    draw = ImageDraw.Draw(page)
    draw.rectangle(frame, fill=(243, 242, 238))
    font = ImageFont.load_default(size=20)
    draw.text((frame[0] + 4, frame[1]), "97 31 55", fill=(20, 20, 20), font=font)
    piece = page.crop(frame).filter(ImageFilter.GaussianBlur(0.8))
    page.paste(piece, frame[:2])
    return page


def places(file: bytes) -> list[tuple[float, float]]:
    result = pictures.added_between_saves(Evidence(file))
    if result is None:
        return []
    assert isinstance(result, Indicator)
    return [(box.x0, box.y0) for box in result.boxes]


def assert_shown(file: bytes) -> None:
    shown = places(file)
    assert shown
    left, top, right, bottom = PLACE
    for x, y in shown:
        assert left - 0.03 < x < right
        assert top - 0.02 < y < bottom


@pytest.mark.parametrize("edit", [with_words_moved, with_words_typed])
def test_a_later_edit_is_shown_at_its_place(edit):
    page = edit(first_save())

    assert_shown(jpeg(page, 92))
    assert_shown(png(page))


def assert_shown_turned_clockwise(file: bytes) -> None:
    left, top, right, bottom = PLACE
    shown = places(file)
    assert shown
    for x, y in shown:
        assert 1 - bottom - 0.03 < x < 1 - top
        assert left - 0.03 < y < right


def test_the_place_is_right_on_a_photograph_that_is_shown_turned():
    orientation = Image.Exif()
    orientation[ExifTags.Base.Orientation] = 6
    out = io.BytesIO()
    page = with_words_moved(first_save())
    page.save(out, "JPEG", quality=92, exif=orientation)

    assert_shown_turned_clockwise(out.getvalue())


def test_the_place_is_right_on_a_page_that_is_shown_turned():
    out = io.BytesIO()
    with_words_moved(first_save()).save(out, "PDF", quality=92, resolution=150)
    turned = io.BytesIO()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        pdf.pages[0].rotate(90, relative=False)
        pdf.save(turned)

    assert_shown_turned_clockwise(turned.getvalue())


@pytest.mark.sweep
def test_it_is_shown_in_a_pdf():
    out = io.BytesIO()
    with_words_moved(first_save()).save(out, "PDF", quality=92, resolution=150)

    assert_shown(out.getvalue())


def test_it_asks_a_person_and_fails_nothing():
    found = indicators_of(jpeg(with_words_moved(first_save()), 92))

    assert found["added_between_saves"]["type"] == "RISK"
    assert not found["added_between_saves"]["strong"]


@pytest.mark.sweep
@pytest.mark.parametrize("first", [50, 75, 90])
def test_a_scan_that_was_saved_twice_without_an_edit_has_none(first):
    page = first_save(first)

    assert not places(png(page))
    for quality in (60, 80, 95):
        assert not places(jpeg(page, quality))


@pytest.mark.sweep
def test_a_page_that_was_turned_or_made_smaller_after_its_first_save_has_none():
    page = first_save()
    smaller = page.resize((page.width * 4 // 5, page.height * 4 // 5))

    for changed in (page.rotate(0.7), page.rotate(90, expand=True), smaller):
        assert not places(jpeg(changed, 92))
        assert not places(png(changed))


def test_an_edit_of_a_scan_that_was_saved_once_cannot_be_told():
    assert not places(jpeg(with_words_moved(scan_of(DOCUMENT)), 92))


def test_a_picture_with_few_words_has_none():
    page = first_save()
    blank = Image.new("RGB", page.size, (243, 242, 238))
    blank.paste(page.crop((0, 0, page.width, 64)), (0, 0))

    assert not places(jpeg(blank, 92))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF"])
@pytest.mark.parametrize("value", range(1, 9))
def test_a_place_of_a_picture_is_that_of_the_displayed_picture(kind, value):
    stored = Image.new("L", (600, 400), 255)
    stored.paste(0, (100, 50, 200, 80))
    orientation = Image.Exif()
    orientation[ExifTags.Base.Orientation] = value
    out = io.BytesIO()
    stored.save(out, kind, exif=orientation)

    (picture,) = read_pictures(out.getvalue(), kind.lower(), pages=1)

    # Where the mark is in the pixels that are examined, and on the displayed picture.
    left, top, right, bottom = mark_of(Image.fromarray(picture.grey))
    box = picture.box(left, top, right - left, bottom - top)
    displayed = ImageOps.exif_transpose(Image.open(io.BytesIO(out.getvalue())))
    left, top, right, bottom = mark_of(displayed)
    assert box.x0 == pytest.approx(left / displayed.width, abs=0.01)
    assert box.y0 == pytest.approx(top / displayed.height, abs=0.01)
    assert box.x1 == pytest.approx(right / displayed.width, abs=0.01)
    assert box.y1 == pytest.approx(bottom / displayed.height, abs=0.01)


def mark_of(picture: Image.Image) -> tuple[int, int, int, int]:
    frame = picture.convert("L").point(lambda value: 255 if value < 100 else 0)
    edges = frame.getbbox()
    assert edges
    return edges
