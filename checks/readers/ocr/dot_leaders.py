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
    specks = stats[1:][(stats[1:, 2] <= LARGEST) & (stats[1:, 3] <= LARGEST)][:, :4]
    if count - 1 > MAX_SPECKS or len(specks) < FEWEST:
        return grey
    cleaned = None
    for row in _rows(specks, grey.shape):
        if cleaned is None:
            cleaned = grey.copy()
        else:
            cleaned = cleaned
        for x, y, wide, high in row:
            part = cleaned[max(y - 3, 0) : y + high + 3, max(x - 3, 0) : x + wide + 3]
            part[:] = np.median(np.concatenate((part[0], part[-1], part[:, 0], part[:, -1])))
    return grey if cleaned is None else cleaned


def _rows(specks: Grey, shape: tuple[int, ...]) -> list[Grey]:
    """The specks that make up rows: those that grow together when they are drawn out sideways."""
    canvas: Grey = np.zeros(shape, np.uint8)
    for x, y, wide, high in specks:
        canvas[y : y + high, x : x + wide] = 255
    canvas = cv2.morphologyEx(canvas, cv2.MORPH_CLOSE, np.ones((1, WIDEST_STEP), np.uint8))
    _, labels = cv2.connectedComponents(canvas, connectivity=8)
    of = labels[specks[:, 1] + specks[:, 3] // 2, specks[:, 0] + specks[:, 2] // 2]
    order = np.lexsort((specks[:, 0], of))
    groups = np.split(specks[order], np.flatnonzero(np.diff(of[order])) + 1)
    even_rows: list[Grey] = []
    for group in groups:
        if len(group) >= FEWEST:
            even_rows.extend(_even(group))
    return even_rows


def _even(group: Grey) -> list[Grey]:
    """The stretches of a row in which the steps are even, and the specks stand on one line."""
    middles = group[:, 0] + group[:, 2] / 2
    steps = np.diff(middles)
    level = np.abs(np.diff(group[:, 1] + group[:, 3])) <= 3
    usual = float(np.median(steps))
    fits = level & (np.abs(steps - usual) <= max(UNEVEN * usual, 1.5)) & (steps > group[:-1, 2])
    stretches = np.split(group, np.flatnonzero(~fits) + 1)
    return [stretch for stretch in stretches if len(stretch) >= FEWEST]
