"""Seals without a ring of letters: disks of wax, foil or paper with an edge of even teeth."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.readers.ink import block
from checks.vision import tunables
from checks.vision.binarisation import Sheet
from papers.geometry import Box

TEETH = range(tunables.FEWEST_TEETH, tunables.MOST_TEETH + 1)
Floats = npt.NDArray[np.float64]


def find_wax_seals(sheet: Sheet) -> list[Box]:
    """Return the disks with a toothed edge. Nothing else on paper has that shape."""
    small = sheet.at(tunables.SEAL_DPI)
    boxes: list[Box] = []
    # The brightness of wax, foil and paper differs, so several limits are tried.
    for level in tunables.WAX_LEVELS:
        for box in _at(small, level):
            if not any(box.overlap(other) for other in boxes):
                boxes.append(box)
    return boxes


def _at(sheet: Sheet, level: int) -> Iterator[Box]:
    dark = np.asarray(sheet.grey < level, np.uint8)
    # Opening cuts off what only touches the disk, such as lettering or the edge of a photograph.
    opened = cv2.morphologyEx(dark, cv2.MORPH_OPEN, block(3, 3))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    low = tunables.SMALLEST_WAX * sheet.dpi
    high = tunables.LARGEST_WAX * sheet.dpi
    for number in range(1, count):
        x, y, width, height, area = stats[number].tolist()
        # Sizes of real seals, in inches.
        if min(width, height) < low or max(width, height) > high:
            continue
        if not _is_round(width, height, area):
            continue
        part = labels[y : y + height, x : x + width]
        if _is_toothed(np.asarray(part == number, np.uint8)):
            yield sheet.box(x, y, x + width, y + height)


def _is_round(width: int, height: int, area: int) -> bool:
    """Whether it is about as wide as high, and fills most of such a disk."""
    disk = np.pi / 4 * width * height
    if area < tunables.FULL * disk:
        return False
    return tunables.NARROWEST <= width / height <= tunables.WIDEST


def _is_toothed(disk: Pixels) -> bool:
    edge = _edge(disk)
    mean = float(edge.mean())
    valleys, tips = np.percentile(edge, (tunables.VALLEYS, tunables.TIPS))
    depth = float(tips - valleys) / mean
    # A smooth edge is an ordinary disk, and deeper teeth are another shape.
    if not tunables.SHALLOWEST <= depth <= tunables.DEEPEST:
        return False
    # A Fourier transform of the outline: the strongest high frequency is the number of teeth.
    waves = np.fft.rfft(edge / mean - 1)
    power = np.abs(waves) ** 2
    quick = power[TEETH.start :]
    teeth = int(np.argmax(quick)) + TEETH.start
    if teeth not in TEETH:
        return False
    # Even teeth have nearly all their power at one frequency and its neighbours.
    strength = float(power[teeth - 1 : teeth + 2].sum())
    # Low frequencies are left out: they come from a disk that is slightly oval or cut off.
    return strength >= tunables.EVEN_TEETH * float(power[tunables.SLOW_WAVES :].sum())


def _edge(disk: Pixels) -> Floats:
    """Return the distance of the outline from the middle, by angle."""
    outlines, _ = cv2.findContours(disk, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(outlines, key=len)
    points = longest.reshape(-1, 2).astype(np.float64)
    middle, _ = cv2.minEnclosingCircle(points.astype(np.float32))
    dx, dy = (points - middle).T
    angles = np.arctan2(dy, dx)
    away = np.hypot(dx, dy)
    order = np.argsort(angles)
    angles = angles[order]
    away = away[order]
    steps = np.linspace(-np.pi, np.pi, tunables.TOOTH_SAMPLES, endpoint=False)
    edge = np.interp(steps, angles, away, period=2 * np.pi)
    return np.asarray(edge, np.float64)
