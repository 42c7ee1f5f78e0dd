"""The grain of the paper on a scan or a photograph, and patches that have none."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.ink import block
from checks.readers.pictures import tunables
from checks.readers.pictures.forensics import Pixels, ScannedPicture
from papers.geometry import Box

Mask = npt.NDArray[np.bool_]
THREE = block(3, 3)
# Letters on a patch are bridged: this wide and high is the space between two of them.
BRIDGE = block(7, 15)


def patch_without_grain(picture: ScannedPicture) -> Box | None:
    """Return a patch of paper without grain, on a page whose paper has grain everywhere else.

    A scanner or a camera gives every dot of the paper a value a little different from the next. A
    program that paints over a word gives all dots one value. On a page whose paper is smooth in
    many places, as after cleaning or strong compression, nothing can be concluded.
    """
    grey = picture.grey
    light = float(np.percentile(grey, tunables.LIGHT_SHARE))
    is_light = grey > light - tunables.BELOW_PAPER
    ink = (~is_light).astype(np.uint8)
    paper = is_light & _away_from(ink, tunables.NEAR_INK)
    size = int(paper.sum())
    if size < tunables.LEAST_PAPER:
        return None
    spread = cv2.dilate(grey, THREE) - cv2.erode(grey, THREE)
    if float(np.median(spread[paper])) < tunables.GRAIN:
        return None
    smooth = paper & (spread <= tunables.SMOOTH)
    if int(smooth.sum()) > tunables.MOST_SMOOTH * size:
        return None
    # Compression blurs the edges of letters into the patch, so only dots far from ink must be
    # smooth.
    far = paper & _away_from(ink, tunables.ECHO_OF_INK)
    return _lone_patch(picture, smooth, far)


def _away_from(ink: Pixels, distance: int) -> Mask:
    grown = cv2.dilate(ink, block(distance, distance))
    return np.asarray(grown == 0)


def _lone_patch(picture: ScannedPicture, smooth: Mask, far: Mask) -> Box | None:
    """Return the largest patch if it is filled, inside the page, and far larger than all others."""
    # Single smooth dots are chance.
    opened = cv2.morphologyEx(smooth.astype(np.uint8), cv2.MORPH_OPEN, THREE)
    joined = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, BRIDGE)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    if count < 2:
        return None
    sizes = np.bincount(labels[opened > 0], minlength=count)
    sizes[0] = 0
    largest = int(sizes.argmax())
    next_size = int(np.delete(sizes, largest).max())
    least = max(tunables.LEAST_PATCH, tunables.PATCH_ALONE * next_size)
    if sizes[largest] < least:
        return None
    x, y, width, height, _ = stats[largest].tolist()
    if _touches_edge(picture.grey, x, y, width, height):
        return None
    rows = slice(y, y + height)
    columns = slice(x, x + width)
    within = far[rows, columns]
    dots = int(within.sum())
    smooth_dots = int((smooth[rows, columns] & within).sum())
    if smooth_dots < max(tunables.FAR_DOTS, tunables.PATCH_FILLED * dots):
        return None
    return picture.box(x, y, width, height)


def _touches_edge(grey: Pixels, x: int, y: int, width: int, height: int) -> bool:
    """Programs for scanning add smooth margins and lines at the edges of a page."""
    rows, columns = grey.shape
    near = tunables.EDGE
    return (
        x < near or y < near or x + width > columns - near or y + height > rows - near
    )
