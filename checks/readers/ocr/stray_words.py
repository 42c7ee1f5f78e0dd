"""Print that the first look at a page left out: what stands alone, in a margin or a thin column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[Any]
Place = tuple[int, int, int, int]

WHITE = 255
# Of a letter at 200 dpi, in dots: lower is a speck, higher or wider a drawing.
LOWEST, HIGHEST, WIDEST = 9, 80, 160
MARGIN = 3
# Fewer letters are a stray mark.
FEWEST = 6


def leftovers(grey: Grey, read: Iterable[Place]) -> Grey | None:
    """The letters of a page outside of the places that were read, on white; None where there are
    next to none.

    A place is left, top, width, height. Only what has the size of letters is kept, so that the
    grain of a scan, its shades and its drawings are not taken for print.
    """
    _, ink = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    for left, top, width, height in read:
        y0 = max(top - MARGIN, 0)
        x0 = max(left - MARGIN, 0)
        ink[y0 : top + height + MARGIN, x0 : left + width + MARGIN] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    wide = stats[:, cv2.CC_STAT_WIDTH]
    high = stats[:, cv2.CC_STAT_HEIGHT]
    letters = (high >= LOWEST) & (high <= HIGHEST) & (wide <= WIDEST)
    letters[0] = False
    if letters.sum() < FEWEST:
        return None
    remaining: Grey = letters[labels].astype(np.uint8)
    # With what is about them: the bars of a hyphen, the dot of an i, the soft edge of the print.
    reach = np.ones((2 * LOWEST + 1, 4 * LOWEST + 1), np.uint8)
    near: Grey = cv2.dilate(remaining, reach)
    marks = cv2.bitwise_and(near, ink)
    about = cv2.dilate(marks, np.ones((3, 3), np.uint8))
    return np.where(about > 0, grey, WHITE).astype(np.uint8)
