"""Seals without a ring of letters: disks of wax, foil or paper with an edge of even teeth."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.vision.binarisation import Sheet
from papers.geometry import Box

DPI = 100
# In inches, across.
SMALLEST, LARGEST = 0.6, 2.6
# Darker than this is a candidate: what lies about a seal may be a coloured ground.
LEVELS = (60, 100, 140, 190)
SAMPLES = 512
TEETH = range(16, 100)
# Of the radius, from the valleys to the tips; and how much of the edge's course the teeth explain.
DEPTH = (0.02, 0.25)
EVEN = 0.35
Floats = npt.NDArray[np.float64]


def find_wax_seals(sheet: Sheet) -> list[Box]:
    """The disks with a toothed edge: nothing else on paper has that shape."""
    small = sheet.at(DPI)
    boxes: list[Box] = []
    for level in LEVELS:
        for box in _at(small, level):
            if not any(box.overlap(other) for other in boxes):
                boxes.append(box)
    return boxes


def _at(sheet: Sheet, level: int) -> Iterator[Box]:
    dark = np.asarray(sheet.grey < level, np.uint8)
    # What only touches the disk, as lettering or the edge of a photograph, is cut off.
    dark = np.asarray(
        cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=4)
    low = SMALLEST * sheet.dpi
    high = LARGEST * sheet.dpi
    for number in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[number])
        if not (low <= min(width, height) and max(width, height) <= high):
            continue
        full = area >= 0.6 * np.pi / 4 * width * height
        if full and 0.88 <= width / height <= 1.14:
            part = np.asarray(labels[y : y + height, x : x + width] == number, np.uint8)
            if _is_toothed(part):
                yield sheet.box(x, y, x + width, y + height)


def _is_toothed(disk: Pixels) -> bool:
    edge = _edge(disk)
    mean = float(edge.mean())
    # What bends slowly is the disk being a little oval, or cut on one side.
    power = np.abs(np.fft.rfft(edge / mean - 1)) ** 2
    quick = power[TEETH.start :]
    teeth = int(np.argmax(quick)) + TEETH.start
    depth = float(np.percentile(edge, 90) - np.percentile(edge, 10)) / mean
    if teeth not in TEETH or not DEPTH[0] <= depth <= DEPTH[1]:
        return False
    # Over the whole circle they come at even steps: one frequency and its neighbours.
    strength = float(power[teeth - 1 : teeth + 2].sum())
    return strength >= EVEN * float(power[6:].sum())


def _edge(disk: Pixels) -> Floats:
    """How far from the middle the outline lies, for each of the angles."""
    outlines, _ = cv2.findContours(disk, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = max(outlines, key=len).reshape(-1, 2).astype(np.float64)
    (x, y), _ = cv2.minEnclosingCircle(points.astype(np.float32))
    dx = points[:, 0] - x
    dy = points[:, 1] - y
    angles = np.arctan2(dy, dx)
    order = np.argsort(angles)
    steps = np.linspace(-np.pi, np.pi, SAMPLES, endpoint=False)
    return np.asarray(
        np.interp(steps, angles[order], np.hypot(dx, dy)[order], period=2 * np.pi),
        np.float64,
    )
