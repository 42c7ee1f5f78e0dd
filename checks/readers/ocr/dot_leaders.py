"""Rows of dots that lead the eye across a page: to OCR they are letters that nobody wrote."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[Any]

# In dots at 200 dpi: a full stop, and how far the next one of a row stands away.
LARGEST, WIDEST_STEP = 8, 30
FEWEST = 6
# Of the steps in a row, how far each may be off the middle one.
UNEVEN = 0.35
# Noise has more; nothing is then said of rows.
MAX_SPECKS = 30_000


def without_leaders(grey: Grey) -> Grey:
    """The page with its rows of dots painted over in what is about them.

    A row is at least six specks of the size of a full stop, of even steps, on one line.
    """
    _, ink = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    shapes = stats[1:]  # the first one is the paper
    small = (shapes[:, 2] <= LARGEST) & (shapes[:, 3] <= LARGEST)
    specks = shapes[small][:, :4]
    if count - 1 > MAX_SPECKS or len(specks) < FEWEST:
        return grey
    rows = _rows(specks, grey.shape)
    if not rows:
        return grey
    cleaned = grey.copy()
    for row in rows:
        for speck in row:
            _paint_over(cleaned, speck)
    return cleaned


def _paint_over(page: Grey, speck: Grey) -> None:
    """Fill the place of a speck with the usual grey of the frame about it."""
    x, y, wide, high = speck
    left = max(x - 3, 0)
    top = max(y - 3, 0)
    part = page[top : y + high + 3, left : x + wide + 3]
    frame = np.concatenate((part[0], part[-1], part[:, 0], part[:, -1]))
    part[:] = np.median(frame)


def _rows(specks: Grey, shape: tuple[int, ...]) -> list[Grey]:
    """The specks that make up rows: those that grow together when they are drawn out sideways."""
    canvas: Grey = np.zeros(shape, np.uint8)
    for x, y, wide, high in specks:
        canvas[y : y + high, x : x + wide] = 255
    canvas = cv2.morphologyEx(
        canvas, cv2.MORPH_CLOSE, np.ones((1, WIDEST_STEP), np.uint8)
    )
    _, labels = cv2.connectedComponents(canvas, connectivity=8)
    left, top, wide, high = specks.T
    groups_of_specks = labels[top + high // 2, left + wide // 2]
    order = np.lexsort((left, groups_of_specks))
    ends = np.flatnonzero(np.diff(groups_of_specks[order])) + 1
    groups = np.split(specks[order], ends)
    even_rows: list[Grey] = []
    for group in groups:
        if len(group) >= FEWEST:
            even_rows.extend(_even(group))
    return even_rows


def _even(group: Grey) -> list[Grey]:
    """The stretches of a row in which the steps are even, and the specks stand on one line."""
    left, top, wide, high = group.T
    steps = np.diff(left + wide / 2)
    usual = float(np.median(steps))
    most_uneven = max(UNEVEN * usual, 1.5)
    is_level = np.abs(np.diff(top + high)) <= 3
    is_even = np.abs(steps - usual) <= most_uneven
    is_apart = steps > wide[:-1]
    fits = is_level & is_even & is_apart
    stretches = np.split(group, np.flatnonzero(~fits) + 1)
    return [stretch for stretch in stretches if len(stretch) >= FEWEST]
