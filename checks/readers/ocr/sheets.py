"""The sheet of paper on a photograph: its outline, seen from straight above, without shadows.

A scan is a sheet from edge to edge, and stays as it is. On a photograph the sheet is the largest
light and pale area with four sides; what lies around it is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from checks.readers.drawing import Pixels
from checks.readers.ink import Grey
from checks.readers.ocr import tunables

# Four corners, clockwise from the upper left one: x and y of each.
Corners = Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet in grey, and the matrix from fractions of it to fractions of the picture.

    `to_picture` is None where the sheet is the whole picture.
    """

    grey: Grey
    to_picture: Grey | None = None


def sheet_of(pixels: Pixels) -> Sheet:
    """The sheet on a picture (height x width x RGB), evenly lit; the whole picture where none is seen."""
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
    return Sheet(evenly_lit(flat), to_picture)


def whole(pixels: Pixels) -> Sheet:
    """The picture as it is."""
    return Sheet(_enlarged(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)))


def _enlarged(grey: Grey) -> Grey:
    """A small picture in more dots: the letters of a page of 75 dots per inch are too low to be read."""
    scale = tunables.ENLARGED_SIDE / max(grey.shape)
    if scale <= 1:
        return grey
    scale = min(scale, tunables.MOST_ENLARGED)
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


def _size(corners: Corners) -> tuple[int, int]:
    """Width and height of the sheet in dots: as large as a page is read best."""
    upper_left, upper_right, lower_right, lower_left = corners
    width = max(_distance(upper_left, upper_right), _distance(lower_left, lower_right))
    height = max(_distance(upper_left, lower_left), _distance(upper_right, lower_right))
    scale = tunables.SHEET_SIDE / max(width, height)
    return max(round(width * scale), 1), max(round(height * scale), 1)


def _distance(start: Corners, end: Corners) -> float:
    return float(np.hypot(*(end - start)))


def outline_of(pixels: Pixels) -> Corners | None:
    """The corners of the sheet in dots; None where it fills the picture, or is not certain."""
    scale = tunables.OUTLINE_DOTS / max(pixels.shape[:2])
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
    """What may be the area of the sheet: light and pale against what is darker or of a colour."""
    smooth = cv2.medianBlur(small, 7)
    # Print is no part of the search: a sheet is what is left where letters are closed.
    size = tunables.OUTLINE_DOTS // 40 * 2 + 1
    kernel = np.ones((size, size), np.uint8)
    closed = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, kernel)
    light = closed.min(axis=2)
    _, mask = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield mask
    # A shadow makes paper darker than a light desk, but has an edge at the sheet alone.
    for limit in tunables.OUTLINE_LIMITS:
        edges = np.zeros(light.shape, np.uint8)
        for channel in cv2.split(closed):
            edges |= cv2.Canny(channel, limit, 2.5 * limit)
        edges = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        yield _inside(edges)


def _inside(edges: Grey) -> Grey:
    """The largest area that the edges enclose."""
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
    return cv2.dilate(mask, np.ones((5, 5), np.uint8))


def _quadrilateral(mask: Grey) -> Corners | None:
    """The four sides about the largest area of the mask."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    around = cv2.arcLength(hull, closed=True)
    for share in np.arange(0.01, 0.08, 0.005):
        corners = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(corners) == 4:
            area = cv2.contourArea(corners)
            if area < tunables.HULL_FILLED * cv2.contourArea(hull):
                return None
            return _clockwise(corners.reshape(4, 2).astype(float))
        if len(corners) < 4:
            return None
    return None


def _clockwise(corners: Corners) -> Corners:
    """From the upper left one on."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angles)]
    first = int(np.argmin(ordered.sum(axis=1)))
    return np.roll(ordered, -first, axis=0)


def _score(small: Grey, corners: Corners) -> float:
    """How much speaks for these corners, 0 where something speaks against them.

    The sheet covers much of the picture and does not fill it, its sides are about parallel, and along
    them it is lighter than what lies outside.
    """
    height, width = small.shape[:2]
    share = cv2.contourArea(corners.astype(np.float32)) / (width * height)
    if not tunables.SHEET_SHARE[0] <= share <= tunables.SHEET_SHARE[1]:
        return 0.0
    if _unevenness(corners) > tunables.UNEVEN_SIDES:
        return 0.0
    steps = _steps(small, corners)
    if not steps:
        return 0.0
    clear = sum(step >= tunables.SIDE_STEP for step in steps) / len(steps)
    return float(clear * (0.5 + 0.5 * share))


def _unevenness(corners: Corners) -> float:
    """By how much opposite sides differ in length, of the longer one."""
    sides = [_distance(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    differences = []
    for one, other in ((sides[0], sides[2]), (sides[1], sides[3])):
        differences.append(abs(one - other) / max(one, other, 1.0))
    return max(differences)


def _steps(small: Grey, corners: Corners) -> list[float]:
    """At places along the sides: how much lighter, or paler, it is inside than outside.

    Sides at the edge of the picture have no outside and are left out.
    """
    height, width = small.shape[:2]
    blurred = cv2.GaussianBlur(small, (5, 5), 0).astype(float)
    middle = corners.mean(axis=0)
    steps: list[float] = []
    for index in range(4):
        start, end = corners[index], corners[(index + 1) % 4]
        along = end - start
        across = np.array([-along[1], along[0]])
        across = across / max(float(np.hypot(*across)), 1.0)
        if across @ (middle - start) < 0:
            across = -across
        for share in np.linspace(0.08, 0.92, 15):
            place = start + share * along
            inside = place + across * tunables.SIDE_REACH
            outside = place - across * tunables.SIDE_REACH
            if not _is_within(outside, width, height):
                continue
            difference = _at(blurred, inside) - _at(blurred, outside)
            steps.append(float(difference.max()))
    return steps


def _is_within(place: Corners, width: int, height: int) -> bool:
    return bool(0 <= place[0] <= width - 1 and 0 <= place[1] <= height - 1)


def _at(picture: Grey, place: Corners) -> Any:
    height, width = picture.shape[:2]
    column = int(np.clip(round(place[0]), 0, width - 1))
    row = int(np.clip(round(place[1]), 0, height - 1))
    return picture[row, column]


def evenly_lit(grey: Grey) -> Grey:
    """The picture divided by its paper, where shadows lie on that; else as it is."""
    paper = _paper_of(grey)
    dark, light = np.percentile(paper, tunables.PAPER_PERCENTILES)
    if dark >= tunables.EVEN * light:
        return grey
    full = cv2.resize(
        paper, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_LINEAR
    )
    return cv2.divide(grey, full, scale=255)


def _paper_of(grey: Grey) -> Grey:
    """The brightness of the paper without its print, at a fraction of the size."""
    scale = tunables.PAPER_DOTS / max(grey.shape)
    small = cv2.resize(
        grey, None, fx=min(scale, 1), fy=min(scale, 1), interpolation=cv2.INTER_AREA
    )
    size = tunables.PAPER_KERNEL
    lightest = cv2.dilate(small, np.ones((size, size), np.uint8))
    return cv2.medianBlur(lightest, 2 * size + 1)
