"""Places of a scan that stand on it twice, equal to the dot."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.ink import block
from checks.readers.pictures import tunables
from checks.readers.pictures.forensics import GRID, Pixels, ScannedPicture
from papers.geometry import Box

Numbers = npt.NDArray[np.int64]


class Copied(NamedTuple):
    """A place of the page, and the one that it is a copy of."""

    first: Box
    second: Box


class _Pairs(NamedTuple):
    """Pairs of equal windows: the place of the first, and the way to the second, in dots."""

    x: Numbers
    y: Numbers
    across: Numbers
    down: Numbers


def copied_place(picture: ScannedPicture) -> Copied | None:
    """Return a place with print that stands on the picture twice; None if there is none.

    Each dot of a scan has a grain of its own, so that no two places are equal in every dot. A program
    that draws a page makes all letters equal, so that equal places all over the page say nothing. Nor
    do those at whole squares of JPEG, for it may round two squares to the same values.
    """
    grey = picture.grey
    rows, columns = _places_with_print(grey)
    if len(rows) < tunables.LEAST_WINDOWS:
        return None
    pairs = _equal_pairs(_sums(grey)[rows, columns], rows, columns)
    if pairs is None or len(pairs.x) > tunables.MOST_EQUAL * len(rows):
        return None
    steps = pairs.across * grey.shape[0] * 2 + pairs.down
    values, counts = np.unique(steps, return_counts=True)
    best = int(counts.argmax())
    if counts[best] < tunables.LEAST_COPIED:
        return None
    # What was copied lies at one distance from its copy, or at a few if several places were.
    few = int(np.sort(counts)[-tunables.FEW_COPIES :].sum())
    if few < tunables.OF_COPIES * len(steps):
        return None
    chosen = steps == values[best]
    if not _has_grain(grey, pairs.y[chosen], pairs.x[chosen]):
        return None
    copied = _places(picture, pairs, chosen)
    # A frame or a pattern goes on equal to itself.
    if copied.first.overlap(copied.second):
        return None
    return copied


def _has_grain(grey: Pixels, rows: Numbers, columns: Numbers) -> bool:
    """Whether the paper between the print has grain, so that no program drew it there."""
    half = tunables.WINDOW // 2
    top = rows.min() - half
    bottom = rows.max() + half
    left = columns.min() - half
    right = columns.max() + half
    place = grey[top:bottom, left:right]
    three = block(3, 3)
    spread = cv2.dilate(place, three) - cv2.erode(place, three)
    paper = place >= np.percentile(place, tunables.LIGHTER_HALF)
    return bool(np.median(spread[paper]) >= tunables.GRAIN)


def _places_with_print(grey: Pixels) -> tuple[Numbers, Numbers]:
    """Return the rows and columns of the windows that have ink and paper."""
    size = tunables.WINDOW
    window = block(size, size)
    spread = cv2.dilate(grey, window) - cv2.erode(grey, window)
    half = size // 2
    inner = spread[half:-half, half:-half]
    rows, columns = np.nonzero(inner >= tunables.PRINT)
    # Places of the whole picture, which has a margin of half a window.
    rows = rows.astype(np.int64) + half
    columns = columns.astype(np.int64) + half
    return rows, columns


def _sums(grey: Pixels) -> npt.NDArray[np.float64]:
    """Return a sum for the window around each dot: equal windows have equal sums.

    All values are whole and small enough to be exact.
    """
    size = tunables.WINDOW, tunables.WINDOW
    chance = np.random.default_rng(tunables.WEIGHTS_SEED)
    weights = chance.integers(1, tunables.HEAVIEST, size)
    exact = grey.astype(np.float64)
    sums = cv2.filter2D(exact, cv2.CV_64F, weights.astype(np.float64))
    return np.asarray(np.rint(sums), dtype=np.float64)


def _equal_pairs(
    sums: npt.NDArray[np.float64], rows: Numbers, columns: Numbers
) -> _Pairs | None:
    """Return the neighbours in the order of the sums that are equal; None if there are none."""
    order = np.argsort(sums, kind="stable")
    equal = np.flatnonzero(np.diff(sums[order]) == 0)
    if not len(equal):
        return None
    first = order[equal]
    second = order[equal + 1]
    x, y = columns[first], rows[first]
    across = columns[second] - x
    down = rows[second] - y
    apart = (across % GRID != 0) | (down % GRID != 0)
    # A plain line or edge is equal to itself a dot further on.
    longest = np.maximum(np.abs(across), np.abs(down))
    apart &= longest > tunables.WINDOW
    if not apart.any():
        return None
    return _Pairs(
        x[apart],
        y[apart],
        across[apart],
        down[apart],
    )


def _places(
    picture: ScannedPicture, pairs: _Pairs, chosen: npt.NDArray[np.bool_]
) -> Copied:
    half = tunables.WINDOW // 2
    x = pairs.x[chosen]
    y = pairs.y[chosen]
    left = int(x.min()) - half
    top = int(y.min()) - half
    width = int(x.max()) + half - left
    height = int(y.max()) + half - top
    first = picture.box(left, top, width, height)
    # All chosen pairs are as far apart.
    left += int(pairs.across[chosen][0])
    top += int(pairs.down[chosen][0])
    second = picture.box(left, top, width, height)
    return Copied(first, second)
