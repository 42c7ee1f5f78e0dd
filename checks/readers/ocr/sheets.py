"""The sheet of paper on a photograph: its outline, flattened, without shadows.

A scan is a sheet from edge to edge and stays as it is. On a photograph the sheet is the largest
light and pale area with four sides; everything around it is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.readers.ink import Grey, block
from checks.readers.ocr import tunables

# Four corners (x, y), clockwise from the upper left one.
Corners = Any

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet in grey, and the matrix from its fractions to fractions of the picture.

    `to_picture` is None if the sheet is the whole picture.
    """

    grey: Grey
    to_picture: Grey | None = None


def sheet_of(pixels: Pixels) -> Sheet:
    """Return the sheet on a picture (height x width x RGB), evenly lit; the whole picture if none
    is found.
    """
    grey: Grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    corners = outline_of(pixels)
    if corners is None:
        return Sheet(evenly_lit(_enlarged(grey)))
    width, height = _size(corners)
    target = np.array(
        [[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = cv2.warpPerspective(
        grey,
        matrix,
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    rows, columns = grey.shape
    of_sheet = np.diag([width, height, 1.0])
    of_picture = np.diag([1 / columns, 1 / rows, 1.0])
    to_picture = of_picture @ np.linalg.inv(matrix) @ of_sheet
    # Light falls on a photograph from one side. A slope too small for `evenly_lit` hides columns from OCR.
    return Sheet(_divided(flat, _paper_of(flat)), to_picture)


def whole(pixels: Pixels) -> Sheet:
    """Return the picture as it is, without a search for a sheet."""
    return Sheet(_enlarged(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)))


def _enlarged(grey: Grey) -> Grey:
    """Enlarge a small picture. At 75 dots per inch the letters are too small for OCR."""
    scale = tunables.ENLARGED_SIDE / max(grey.shape)
    if scale <= 1:
        return grey
    scale = min(scale, tunables.MOST_ENLARGED)
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


def _size(corners: Corners) -> tuple[int, int]:
    """Return width and height of the sheet in dots, in the size that OCR reads best."""
    top, right, bottom, left = _sides(corners)
    width = max(top, bottom)
    height = max(left, right)
    scale = tunables.SHEET_SIDE / max(width, height)
    return max(round(width * scale), 1), max(round(height * scale), 1)


def _distance(start: Corners, end: Corners) -> float:
    return float(np.hypot(*(end - start)))


def outline_of(pixels: Pixels) -> Corners | None:
    """Return the corners of the sheet in dots; None if it fills the picture or is not certain."""
    scale = tunables.OUTLINE_DOTS / max(pixels.shape[:2])
    # The picture is too small to have an outline worth searching.
    if scale >= 1:
        return None
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    best: Corners | None = None
    best_score = tunables.OUTLINE_SCORE
    for mask in _masks(small):
        corners = _quadrilateral(mask)
        if corners is None:
            continue
        score = _score(small, corners)
        if score > best_score:
            best, best_score = corners, score
    if best is None:
        return None
    return best / scale


def _masks(small: Grey) -> Iterator[Grey]:
    """Yield possible areas of the sheet: light and pale against a darker or coloured background."""
    smooth = cv2.medianBlur(small, 7)
    # Closing removes the letters, so that print on the sheet does not disturb the search.
    size = tunables.OUTLINE_DOTS // 40 * 2 + 1
    kernel = block(size, size)
    closed = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, kernel)
    light = closed.min(axis=2)
    _, mask = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield mask
    # A shadow can make the paper darker than a light desk, so brightness alone is not enough. The
    # sheet then still has edges.
    for limit in tunables.OUTLINE_LIMITS:
        edges = np.zeros(light.shape, np.uint8)
        for channel in cv2.split(closed):
            edges |= cv2.Canny(channel, limit, 2.5 * limit)
        edges = cv2.dilate(edges, block(3, 3))
        yield _inside(edges)


def _inside(edges: Grey) -> Grey:
    """Return the largest area that the edges enclose."""
    free = np.asarray(255 - edges, np.uint8)
    count, labels = cv2.connectedComponents(free, connectivity=4)
    mask = np.zeros(edges.shape, np.uint8)
    best, most = 0, 0
    height, width = edges.shape
    middle = labels[height // 4 : -height // 4, width // 4 : -width // 4]
    for label in range(1, count):
        share = int(np.count_nonzero(middle == label))
        if share > most:
            best, most = label, share
    if best:
        mask[labels == best] = 255
    return cv2.dilate(mask, block(5, 5))


def _quadrilateral(mask: Grey) -> Corners | None:
    """Return the four corners around the largest area of the mask; None if it is no
    quadrilateral.
    """
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, block(15, 15))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    around = cv2.arcLength(hull, closed=True)
    # Simplify the outline more and more, until exactly four corners are left.
    for share in np.arange(0.01, 0.08, 0.005):
        corners = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(corners) == 4:
            area = cv2.contourArea(corners)
            # The four corners must cover nearly the whole outline, otherwise the area is no
            # quadrilateral.
            if area < tunables.HULL_FILLED * cv2.contourArea(hull):
                return None
            return _clockwise(corners.reshape(4, 2).astype(float))
        if len(corners) < 4:
            return None
    return None


def _clockwise(corners: Corners) -> Corners:
    """Sort the corners clockwise, from the upper left one."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angles)]
    first = int(np.argmin(ordered.sum(axis=1)))
    return np.roll(ordered, -first, axis=0)


def _score(small: Grey, corners: Corners) -> float:
    """Return how likely these corners are those of the sheet; 0 if something contradicts.

    The sheet covers much of the picture but not all of it, its opposite sides have similar lengths,
    and it is lighter than what lies outside its sides.
    """
    height, width = small.shape[:2]
    share = cv2.contourArea(corners.astype(np.float32)) / (width * height)
    if not tunables.SHEET_SHARE[0] <= share <= tunables.SHEET_SHARE[1]:
        return 0.0
    # A sheet seen at an angle has sides of slightly different lengths. Larger differences are
    # another shape.
    if _unevenness(corners) > tunables.UNEVEN_SIDES:
        return 0.0
    steps = _steps(small, corners)
    if not steps:
        return 0.0
    # The score is the share of places with a clear edge, and larger sheets are preferred.
    clear = [step for step in steps if step >= tunables.SIDE_STEP]
    clear_share = len(clear) / len(steps)
    return float(clear_share * (0.5 + 0.5 * share))


def _unevenness(corners: Corners) -> float:
    """Return by what share opposite sides differ in length."""
    top, right, bottom, left = _sides(corners)
    return max(_difference(top, bottom), _difference(right, left))


def _sides(corners: Corners) -> tuple[float, float, float, float]:
    """Return the lengths of the sides clockwise, the upper one first."""
    upper_left, upper_right, lower_right, lower_left = corners
    return (
        _distance(upper_left, upper_right),
        _distance(upper_right, lower_right),
        _distance(lower_right, lower_left),
        _distance(lower_left, upper_left),
    )


def _difference(length: float, other: float) -> float:
    return abs(length - other) / max(length, other, 1.0)


def _steps(small: Grey, corners: Corners) -> list[float]:
    """Return, for places along the sides, how much lighter or paler the inside is than the outside.

    Sides at the edge of the picture have no outside and are left out.
    """
    height, width = small.shape[:2]
    blurred = cv2.GaussianBlur(small, (5, 5), 0).astype(float)
    middle = corners.mean(axis=0)
    steps: list[float] = []
    sides = 0
    for index in range(4):
        start, end = corners[index], corners[(index + 1) % 4]
        along = end - start
        across = np.array([-along[1], along[0]])
        across = across / max(float(np.hypot(*across)), 1.0)
        if across @ (middle - start) < 0:
            across = -across
        outer = (start + end) / 2 - across * tunables.SIDE_REACH
        sides += _is_within(outer, width, height)
        for share in np.linspace(0.08, 0.92, 15):
            place = start + share * along
            inside = place + across * tunables.SIDE_REACH
            outside = place - across * tunables.SIDE_REACH
            if not _is_within(outside, width, height):
                continue
            difference = _at(blurred, inside) - _at(blurred, outside)
            steps.append(float(difference.max()))
    # A coloured column or band of a scan lies beside one side alone, and has words of its own.
    return steps if sides >= tunables.FREE_SIDES else []


def _is_within(place: Corners, width: int, height: int) -> bool:
    return bool(0 <= place[0] <= width - 1 and 0 <= place[1] <= height - 1)


def _at(picture: Grey, place: Corners) -> Any:
    height, width = picture.shape[:2]
    column = int(np.clip(round(place[0]), 0, width - 1))
    row = int(np.clip(round(place[1]), 0, height - 1))
    return picture[row, column]


def evenly_lit(grey: Grey) -> Grey:
    """Divide the picture by the brightness of its paper if there are shadows; else return it
    unchanged.
    """
    paper = _paper_of(grey)
    dark, light = np.percentile(paper, tunables.PAPER_PERCENTILES)
    # The light is even enough already.
    if dark >= tunables.EVEN * light:
        return grey
    return _divided(grey, paper)


def without_tints(sheet: Sheet) -> Sheet:
    """Return the sheet with its print only: what is lighter than ink is white.

    A coloured pattern, as certificates have it against copies, is darker than the paper. An engine that
    parts a picture into two tones takes it for ink.
    """
    white = tunables.INK_EDGE * max(_lightest_ink(sheet.grey), 1)
    tones = np.clip(np.arange(256) * (255 / white), 0, 255).astype(np.uint8)
    return Sheet(cv2.LUT(sheet.grey, tones), sheet.to_picture)


def _lightest_ink(grey: Grey) -> int:
    """Return the limit between ink and what is lighter, by Otsu's method for three tones: ink, tint, paper."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(float)
    dots = np.cumsum(counts)
    sums = np.cumsum(counts * np.arange(256, dtype=float))
    limits = np.arange(255)
    # Each pair of limits: the first ends the ink, the second ends the tint.
    ink = limits[:, None]
    tint = limits[None, :]
    apart = _weight_of_tone(dots[ink], sums[ink])
    apart = apart + _weight_of_tone(dots[tint] - dots[ink], sums[tint] - sums[ink])
    apart = apart + _weight_of_tone(dots[-1] - dots[tint], sums[-1] - sums[tint])
    apart = np.where(ink < tint, apart, 0)
    end_of_ink, _ = np.unravel_index(apart.argmax(), apart.shape)
    return int(end_of_ink)


def _weight_of_tone(dots: Values, brightness: Values) -> Values:
    """Return what a tone adds to the variance between the tones. No dots add nothing."""
    return brightness**2 / np.maximum(dots, 1)


def _divided(grey: Grey, paper: Grey) -> Grey:
    height, width = grey.shape
    full = cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.divide(grey, full, scale=255)


def _paper_of(grey: Grey) -> Grey:
    """Return the brightness of the paper without print, at a reduced size."""
    scale = tunables.PAPER_DOTS / max(grey.shape)
    small = cv2.resize(
        grey, None, fx=min(scale, 1), fy=min(scale, 1), interpolation=cv2.INTER_AREA
    )
    size = tunables.PAPER_KERNEL
    lightest = cv2.dilate(small, block(size, size))
    return cv2.medianBlur(lightest, 2 * size + 1)
