"""Words of a scan that were copied, made smaller or larger, turned, or made lighter or darker.

Two windows with the same letters are laid over each other, and the rest is compared with the grain
of the paper. Two prints of one word differ by the grain of both. A copy has the grain of its
original, so that less is left than one print alone would leave.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.ink import ink_of
from checks.readers.pictures import tunables
from checks.readers.pictures.forensics import (
    Pixels,
    Place,
    Rows,
    ScannedPicture,
    Twins,
    around,
)

Mask = npt.NDArray[np.bool_]
# Half the median deviation of normal noise makes its standard deviation with this factor.
DEVIATION = 1.4826
BOTH_GRAINS = 2**0.5
# Dots around a window that are compared with it, and those at its edge that are left out then.
MARGIN = 5
CUT = slice(2, -2)
THUMBNAIL = (30, 10)
STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)


@dataclass(frozen=True, slots=True)
class _Page:
    """The picture, its ink, the dots that are no ink, and the paper far from ink."""

    grey: Rows
    ink: Pixels
    light: Mask
    grain: Rows
    far: Mask


@dataclass(frozen=True, slots=True)
class _Copy:
    first: Place
    second: Place


def copied_word(picture: ScannedPicture) -> Twins | None:
    """Return a word that is on the picture twice with the same grain; None if there is none, or
    so many that the page has no grain of its own.
    """
    page = _prepared(picture.grey)
    windows = _windows(page.ink)
    copies = []
    for first, second in _similar(picture.grey, windows):
        if _left_of_grain(page, first, second) < tunables.SAME_GRAIN:
            copies.append(_Copy(first, second))
    if not copies:
        return None
    best = copies[0]
    together = [copy for copy in copies if _beside(copy, best)]
    # A program draws a letter in one way, so a drawn page has copies in many places.
    if len(together) < tunables.ONE_RUN * len(copies):
        return None
    first = around([copy.first for copy in together])
    second = around([copy.second for copy in together])
    x, y, width, height = first
    letters = len(_shapes(page.ink[y : y + height, x : x + width]))
    # A copy of which the letters touch each other has more than are counted.
    return Twins(picture.box(*first), picture.box(*second), max(letters, 2))


def _prepared(grey: Pixels) -> _Page:
    ink = ink_of(grey)
    plain = grey.astype(np.float32)
    light = cv2.dilate(ink, np.ones((3, 3), np.uint8)) == 0
    far = cv2.dilate(ink, np.ones((9, 9), np.uint8)) == 0
    return _Page(plain, ink, np.asarray(light), _fine(plain), np.asarray(far))


def _fine(dots: Rows) -> Rows:
    """What changes from dot to dot: without shadows and the colour of the paper."""
    return np.asarray(dots - cv2.GaussianBlur(dots, (0, 0), 2))


def _windows(ink: Pixels) -> list[Place]:
    """Return words, and windows of some letters that begin at each letter.

    A copied word may touch what is left of the word that it covers, so words alone are not enough.
    """
    rows, columns = ink.shape
    gap = max(5, columns // 220)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, gap), np.uint8))
    places: list[Place] = []
    for x, y, width, height in _shapes(joined)[: tunables.COPY_WORDS]:
        if 1.3 * height <= width <= 14 * height and width >= 22:
            places.append((x, y, width, height))
    for x, y, width, height in _shapes(ink)[: tunables.COPY_LETTERS]:
        if not 4 <= width <= tunables.WIDEST_LETTER:
            continue
        wide = int(tunables.COPY_WINDOW * height)
        # The second half must have letters, too.
        half = ink[y : y + height, x + wide // 2 : x + wide]
        if half.size and np.count_nonzero(half) > 0.08 * half.size:
            places.append((x, y, wide, height))
    inside = []
    for x, y, width, height in places:
        right = x + width + MARGIN
        bottom = y + height + MARGIN
        if x > MARGIN and y > MARGIN and right < columns and bottom < rows:
            inside.append((x, y, width, height))
    return inside


def _shapes(ink: Pixels) -> list[Place]:
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    shapes: list[Place] = []
    for x, y, width, height, area in stats[1:].tolist():
        is_high = tunables.SHORTEST_LETTER <= height <= tunables.HIGHEST_LETTER
        if is_high and area >= tunables.LEAST_LETTER:
            shapes.append((x, y, width, height))
    return shapes


def _similar(grey: Pixels, windows: Sequence[Place]) -> list[tuple[Place, Place]]:
    """Return the pairs of windows that look most alike, of about the same form and size."""
    if len(windows) < tunables.COPY_LEAST_WINDOWS:
        return []
    thumbnails = np.empty((len(windows), THUMBNAIL[0] * THUMBNAIL[1]), np.float32)
    for index, (x, y, width, height) in enumerate(windows):
        cut = grey[y : y + height, x : x + width]
        small = cv2.resize(cut, THUMBNAIL, interpolation=cv2.INTER_AREA)
        dots = small.astype(np.float32).ravel()
        dots -= dots.mean()
        thumbnails[index] = dots / (np.linalg.norm(dots) + 1e-6)
    likeness = thumbnails @ thumbnails.T
    likeness[~_comparable(windows)] = -1
    pairs = []
    for first, second in _best(likeness):
        if likeness[first, second] >= tunables.COPY_LIKENESS:
            pairs.append((windows[first], windows[second]))
    return pairs


def _best(likeness: Rows) -> list[tuple[int, int]]:
    """Return the most distinct pairs, then the most alike.

    A word that is on the page many times has many partners, which would leave no room for others.
    So half of the pairs are those that are far more alike than any other window. Windows overlap,
    so the few best may be of one place.
    """
    count = len(likeness)
    half = min(tunables.COPY_PAIRS // 2, count)
    kept = tunables.COPY_OVERLAPPING
    ranked = np.argpartition(likeness, -kept, axis=1)[:, -kept:]
    values = np.take_along_axis(likeness, ranked, axis=1)
    partner = ranked[np.arange(count), values.argmax(axis=1)]
    distinct = values.max(axis=1) - values.min(axis=1)
    distinct[values.max(axis=1) < tunables.COPY_LIKENESS] = -1
    chosen: dict[tuple[int, int], None] = {}
    for window in np.argsort(-distinct)[:half].tolist():
        other = int(partner[window])
        chosen[min(window, other), max(window, other)] = None
    flat = np.triu(likeness, 1).ravel()
    most = np.argpartition(flat, -half)[-half:]
    for index in most[np.argsort(-flat[most])].tolist():
        chosen[divmod(index, count)] = None
    return list(chosen)


def _comparable(windows: Sequence[Place]) -> Mask:
    """Return which pairs have about the same form and size, and are not the same place."""
    places = np.array(windows, np.float32)
    form = np.log(places[:, 2] / places[:, 3])
    width = np.log(places[:, 2])
    fits = np.abs(form[:, None] - form) < 0.25
    fits &= np.abs(width[:, None] - width) < 0.33
    centre = places[:, 0] + places[:, 2] / 2
    across = np.abs(centre[:, None] - centre) < 25
    down = np.abs(places[:, 1][:, None] - places[:, 1]) < 15
    fits &= ~(across & down)
    return np.asarray(fits)


def _left_of_grain(page: _Page, first: Place, second: Place) -> float:
    """Return what is left when one window is taken from the other, in parts of what two prints
    leave.
    """
    grain = min(_grain_around(page, first), _grain_around(page, second))
    if grain < tunables.COPY_GRAIN:
        return np.inf
    source = _with_margin(page.grey, first)
    target = _with_margin(page.grey, second)
    wide = first[2] / second[2]
    high = first[3] / second[3]
    start = np.array(
        [[wide, 0, MARGIN * (1 - wide)], [0, high, MARGIN * (1 - high)]], np.float32
    )
    try:
        _, turn = cv2.findTransformECC(
            target, source, start, cv2.MOTION_AFFINE, STEPS, None, 3
        )
    except cv2.error:
        # The two do not fit each other.
        return np.inf
    laid = cv2.warpAffine(
        source,
        turn,
        target.shape[::-1],
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    light = _with_margin(page.light, second)[CUT, CUT]
    if int(light.sum()) < tunables.COPY_DOTS:
        return np.inf
    over = laid[CUT, CUT]
    under = target[CUT, CUT]
    # A copy may be lighter or of less contrast.
    slope, offset = np.polyfit(over.ravel(), under.ravel(), 1)
    rest = _fine(np.asarray(under - (slope * over + offset), np.float32))
    return _deviation(rest[light]) / (BOTH_GRAINS * grain)


def _with_margin(dots: npt.NDArray, place: Place) -> npt.NDArray:  # type: ignore[type-arg]
    x, y, width, height = place
    rows = slice(y - MARGIN, y + height + MARGIN)
    return dots[rows, x - MARGIN : x + width + MARGIN]


def _grain_around(page: _Page, place: Place) -> float:
    x, y, width, height = place
    by = 14
    rows = slice(max(0, y - by), y + height + by)
    columns = slice(max(0, x - by), x + width + by)
    far = page.far[rows, columns]
    if int(far.sum()) < tunables.COPY_DOTS:
        return 0.0
    return _deviation(page.grain[rows, columns][far])


def _deviation(values: Rows) -> float:
    middle = np.median(values)
    return DEVIATION * float(np.median(np.abs(values - middle)))


def _beside(copy: _Copy, other: _Copy) -> bool:
    """Whether two pairs are of one copy: both their ends are near each other."""
    for place, beside in ((copy.first, other.first), (copy.second, other.second)):
        reach = 6 * max(place[3], beside[3])
        if abs(place[0] - beside[0]) > reach or abs(place[1] - beside[1]) > place[3]:
            return False
    return True
