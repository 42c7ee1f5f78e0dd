"""Dot leaders: rows of dots across a page, which OCR would read as letters."""

from __future__ import annotations

import cv2
import numpy as np

from checks.readers.ink import Grey, block, ink_of
from checks.readers.ocr import tunables


def without_leaders(grey: Grey) -> Grey:
    """Return the page with its rows of dots painted over in the colour around them.

    A row has at least six specks of the size of a full stop, in even steps, on one line.
    """
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink_of(grey), connectivity=8)
    shapes = stats[1:]  # the first one is the paper
    # A page with that many shapes is noise or a halftone picture; searching it would take too long.
    if len(shapes) > tunables.MAX_SPECKS:
        return grey
    wide = shapes[:, cv2.CC_STAT_WIDTH]
    high = shapes[:, cv2.CC_STAT_HEIGHT]
    is_small = (wide <= tunables.LARGEST_DOT) & (high <= tunables.LARGEST_DOT)
    # Left, top, width and height.
    specks = shapes[is_small][:, :4]
    if len(specks) < tunables.FEWEST_DOTS:
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
    """Fill the place of a speck with the median grey of the frame around it."""
    x, y, wide, high = speck
    rows = slice(max(y - 3, 0), y + high + 3)
    columns = slice(max(x - 3, 0), x + wide + 3)
    part = page[rows, columns]
    upper, lower = part[0], part[-1]
    left, right = part[:, 0], part[:, -1]
    frame = np.concatenate((upper, lower, left, right))
    part[:] = np.median(frame)


def _rows(specks: Grey, shape: tuple[int, ...]) -> list[Grey]:
    """Return the specks that form rows: those that merge when they are extended sideways."""
    canvas: Grey = np.zeros(shape, np.uint8)
    for x, y, wide, high in specks:
        rows = slice(y, y + high)
        columns = slice(x, x + wide)
        canvas[rows, columns] = 255
    sideways = block(1, tunables.WIDEST_STEP)
    canvas = cv2.morphologyEx(canvas, cv2.MORPH_CLOSE, sideways)
    _, labels = cv2.connectedComponents(canvas, connectivity=8)
    left, top, wide, high = specks.T
    # The group of a speck is the label at its centre.
    middle_row = top + high // 2
    middle_column = left + wide // 2
    group_of_speck = labels[middle_row, middle_column]
    # Sort by group, and within a group from left to right.
    order = np.lexsort((left, group_of_speck))
    steps = np.diff(group_of_speck[order])
    ends = np.flatnonzero(steps) + 1
    groups = np.split(specks[order], ends)
    even_rows: list[Grey] = []
    for group in groups:
        if len(group) >= tunables.FEWEST_DOTS:
            even_rows.extend(_even(group))
    return even_rows


def _even(group: Grey) -> list[Grey]:
    """Return the parts of a row with even steps whose specks stand on one line."""
    left, top, wide, high = group.T
    middle = left + wide / 2
    bottom = top + high
    steps = np.diff(middle)
    usual = float(np.median(steps))
    most_uneven = max(tunables.UNEVEN * usual, 1.5)
    # A real row has a common base line, even steps, and dots that do not touch. Letters of a word
    # have not.
    is_level = np.abs(np.diff(bottom)) <= 3
    is_even = np.abs(steps - usual) <= most_uneven
    is_apart = steps > wide[:-1]
    fits = is_level & is_even & is_apart
    breaks = np.flatnonzero(~fits) + 1
    stretches = np.split(group, breaks)
    return [stretch for stretch in stretches if len(stretch) >= tunables.FEWEST_DOTS]
