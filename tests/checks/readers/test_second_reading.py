"""A line that is read once more is cut out without its neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from checks.readers.ocr.second_reading import StandingPage
from checks.text.words import Word
from papers.geometry import Box

# Left, top, width and height in pixels of “on”, “17th” and “May”, on one row, and of a word below.
PLACES = {
    Box(1, 0.1, 0.1, 0.2, 0.2): (100, 100, 40, 20),
    Box(1, 0.3, 0.1, 0.4, 0.2): (148, 100, 60, 20),
    Box(1, 0.5, 0.1, 0.6, 0.2): (300, 100, 60, 20),
    Box(1, 0.3, 0.5, 0.4, 0.6): (120, 300, 90, 20),
}


@pytest.mark.parametrize(
    ("indexes", "left", "right"),
    [
        # Half of the way to the word on the left; the margin where the next word is far.
        ((1,), 144, 220),
        ((1, 2), 144, 372),
        ((0,), 88, 144),
        ((3,), 108, 222),
    ],
)
def test_the_cut_ends_between_the_words(indexes, left, right):
    widths: list[int] = []
    grey = np.full((400, 500), 255, np.uint8)

    def read_line(picture: object) -> str:
        widths.append(np.asarray(picture).shape[1])
        return ""

    boxes = list(PLACES)
    page = StandingPage(grey, PLACES, read_line)
    list(page.read_again([Word("x", boxes[index], source="OCR") for index in indexes]))
    # The picture is enlarged, and has a frame.
    scale = 2 * (widths[1] - widths[0])

    assert scale == pytest.approx(right - left, abs=2)
