"""What a pen leaves: thin and pale, or over words that OCR misread."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from checks.text.words import Source, Word
from checks.vision.binarisation import Inked, Sheet
from checks.vision.signatures import find_lines, find_strokes
from checks.vision.tunables import FEWEST, PALE
from papers.geometry import Box

DPI, FINER = 150, 4


def page(*, pen: int, grey: int, words: tuple[Word, ...] = ()) -> Sheet:
    """Loops of a pen of so many pixels at 600 dpi, of this grey, on a page of 6 x 4 inches."""
    wide, high = 6 * DPI * FINER, 4 * DPI * FINER
    result = np.full((high, wide), 255, np.uint8)
    turn = np.linspace(0, 14 * np.pi, 900)
    size = np.interp(turn, (0, 20, 44), (190, 110, 60))
    x = 1400 + 24 * turn + 0.4 * size * np.sin(turn)
    y = 1500 - size * (1 - np.cos(turn)) / 2
    points = np.stack((x, y), axis=1).astype(np.int32)
    cv2.polylines(
        result,
        [points],
        isClosed=False,
        color=grey,
        thickness=pen,
        lineType=cv2.LINE_AA,
    )
    small = cv2.resize(result, (6 * DPI, 4 * DPI), interpolation=cv2.INTER_AREA)
    return Sheet(1, np.asarray(small, np.uint8), DPI, words)


def word(text: str, source: Source = "OCR") -> Word:
    return Word(text, Box(1, 0.42, 0.66, 0.6, 0.7), source=source, confidence=0.9)


def test_a_pen_thinner_than_a_dot_is_a_pen():
    sheet = page(pen=3, grey=40)
    inked = sheet.grey[Inked.of(sheet).rest > 0]
    assert len(inked) > FEWEST
    assert np.median(inked) > PALE  # most of it is pale
    assert find_strokes(Inked.of(sheet))


def test_a_watermark_is_none():
    sheet = page(pen=14, grey=205)
    assert (Inked.of(sheet).rest > 0).sum() > FEWEST
    assert find_strokes(Inked.of(sheet)) == []


@pytest.mark.parametrize(
    ("text", "source", "near"),
    [
        ("Podpis:", "text layer", True),
        ("Подпись", "text layer", True),
        ("署名", "text layer", True),
        ("Geschäftsführer", "text layer", True),
        ("Geschäftsf0hrer", "OCR", True),
        ("Secretary", "text layer", True),
        ("Sceretary", "OCR", True),
        (
            "Sceretary",
            "text layer",
            False,
        ),  # what a file states itself is spelt as it is
        ("Sanctuary", "OCR", False),
        ("hard", "OCR", False),  # not a misread hand: short words are too like others
    ],
)
def test_a_word_for_signing_may_be_misread_by_a_letter(text, source, near):
    result = find_strokes(Inked.of(page(pen=8, grey=20, words=(word(text, source),))))
    assert result
    assert (result[0].near < 0.8) == near


def test_a_line_to_sign_on_is_told_by_a_misread_word():
    sheet = page(pen=8, grey=20, words=(word("Pres1dent"),))
    sheet.grey[380:383, 300:560] = 0
    assert len(find_lines(Inked.of(sheet))) == 1
