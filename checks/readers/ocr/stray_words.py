"""Print that the first reading of a page missed: single words, in a margin or a thin column."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from checks.readers.ink import Grey, block, ink_of
from checks.readers.ocr import tunables

Place = tuple[int, int, int, int]

WHITE = 255


def _with_margin(start: int, length: int) -> slice:
    first = max(start - tunables.MARGIN, 0)
    return slice(first, start + length + tunables.MARGIN)


def leftovers(grey: Grey, read: Iterable[Place]) -> Grey | None:
    """Return the letters outside the places that were read, on white; None if there are hardly any.

    A place is left, top, width, height. Only shapes of the size of letters are kept, so that grain,
    shades and drawings are not taken for print.
    """
    ink = ink_of(grey)
    for left, top, width, height in read:
        rows = _with_margin(top, height)
        columns = _with_margin(left, width)
        ink[rows, columns] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    wide = stats[:, cv2.CC_STAT_WIDTH]
    high = stats[:, cv2.CC_STAT_HEIGHT]
    has_height = (high >= tunables.LOWEST) & (high <= tunables.HIGHEST)
    is_letter = has_height & (wide <= tunables.WIDEST)
    is_letter[0] = False  # the paper
    if is_letter.sum() < tunables.FEWEST:
        return None
    letters: Grey = is_letter[labels].astype(np.uint8)
    # Add what belongs to the letters: hyphens, the dot of an i, the soft edges of the print.
    above_and_below = 2 * tunables.LOWEST + 1
    beside = 4 * tunables.LOWEST + 1
    reach = block(above_and_below, beside)
    near: Grey = cv2.dilate(letters, reach)
    marks = cv2.bitwise_and(near, ink)
    edge = block(3, 3)
    print_ = cv2.dilate(marks, edge)
    return np.where(print_ > 0, grey, WHITE).astype(np.uint8)
