"""A sheet on a desk, taken from aside with a shadow on it: read flat, and placed where it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from checks import readers
from checks.readers.ocr.sheets import outline_of, sheet_of
from checks.samples import good_certificate
from checks.text.words import Recognised
from papers.geometry import Box

DRAWN = good_certificate(3)
SIZE = (2200, 1700)
# Where the corners of the sheet lie on the photograph: x and y of each, clockwise.
CORNERS = np.array([[210, 190], [1450, 120], [1600, 2010], [90, 2060]], np.float32)
DESKS = {"dark": (60, 55, 50), "brown": (95, 120, 150), "pale": (196, 200, 205)}


def photograph(desk: str, *, turned: int = 0) -> readers.Pixels:
    page = readers.draw_page(DRAWN.content, 1, dpi=200)
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, CORNERS)
    picture = np.full((*SIZE, 3), DESKS[desk], np.uint8)
    cv2.warpPerspective(
        page, matrix, SIZE[::-1], dst=picture, borderMode=cv2.BORDER_TRANSPARENT
    )
    across = np.linspace(0, 1, SIZE[1])[None, :, None]
    shadow = 1 - 0.45 / (1 + np.exp(-(across - 0.55) * 40))
    lit = np.asarray(picture * shadow, np.uint8)
    soft = cv2.GaussianBlur(lit, (0, 0), 0.8)
    return np.ascontiguousarray(np.rot90(soft, turned))


def words_of(reading: Recognised) -> set[str]:
    return {word.text for line in reading.lines for word in line.words}


def stated_words() -> set[str]:
    [page], _ = readers.read_pages(DRAWN.content, max_pages=1)
    return {word.text for word in page.words}


@pytest.mark.parametrize(
    ("desk", "turned"), [("dark", 0), ("brown", 0), ("pale", 0), ("brown", 1)]
)
def test_a_sheet_on_a_desk_is_read_as_a_scan_of_it_is(desk, turned):
    reading = readers.recognise(photograph(desk, turned=turned), page=1)

    stated = stated_words()
    # All but those around the seal.
    assert len(words_of(reading) & stated) > 0.85 * len(stated)


def place_of(word: str, reading: Recognised) -> Box:
    rows = [w for line in reading.lines for w in line.words if w.text == word]
    return rows[0].box


def test_its_words_stand_where_the_photograph_shows_them():
    reading = readers.recognise(photograph("dark"), page=1)
    word = "Incorporation"
    [page], _ = readers.read_pages(DRAWN.content, max_pages=1)
    on_sheet = next(w.box for w in page.words if w.text == word)

    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, CORNERS)
    middle = [(on_sheet.x0 + on_sheet.x1) / 2, (on_sheet.y0 + on_sheet.y1) / 2, 1]
    x, y, scale = matrix @ np.array(middle)
    box = place_of(word, reading)
    assert (box.x0 + box.x1) / 2 == pytest.approx(x / scale / SIZE[1], abs=0.01)
    assert (box.y0 + box.y1) / 2 == pytest.approx(y / scale / SIZE[0], abs=0.01)


def test_a_scan_has_no_outline():
    assert outline_of(readers.draw_page(DRAWN.content, 1, dpi=200)) is None


def with_column(page: readers.Pixels, share: float) -> readers.Pixels:
    """The page beside a column of pale blue with the same print, as on bills of one supplier."""
    height, width = page.shape[:2]
    wide = round(width * share)
    small = cv2.resize(page, (wide, height // 2), interpolation=cv2.INTER_AREA)
    column = np.full((height, wide, 3), (226, 234, 246), np.uint8)
    column[: height // 2] = np.minimum(column[: height // 2], small)
    return np.concatenate([column, page], axis=1)


def test_a_coloured_column_of_a_scan_is_part_of_the_sheet():
    page = readers.draw_page(DRAWN.content, 1, dpi=200)

    assert outline_of(with_column(page, 0.3)) is None


def test_a_slope_of_light_on_a_photograph_is_divided_out():
    page = np.full((1600, 1100, 3), 245, np.uint8)
    picture = np.full((2000, 1500, 3), 60, np.uint8)
    picture[200:1800, 200:1300] = page
    # A lamp on one side: less than what a shadow takes away.
    across = np.linspace(1, 0.84, 1500)[None, :, None]
    sheet = sheet_of(np.asarray(picture * across, np.uint8))

    assert sheet.to_picture is not None
    paper = np.median(sheet.grey[200:-200], axis=0)[100:-100]
    assert paper.min() > 0.97 * paper.max()


def test_a_page_of_75_dots_per_inch_is_read():
    page = readers.draw_page(DRAWN.content, 1, dpi=75)

    stated = stated_words()
    assert len(words_of(readers.recognise(page, page=1)) & stated) > 0.8 * len(stated)
