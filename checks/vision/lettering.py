"""Small rings, looked at more closely: is something written around them, within the line?"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.vision.binarisation import Sheet

ANGLES, SAMPLES = 120, 720
# The line is searched for so far from the circle that was found, as parts of its radius: the
# radius itself, the centre, and how much longer one axis is, upright and aslant.
SIZES = np.arange(0.8, 1.11, 0.02)
SHIFTS, OVALS = np.linspace(-0.06, 0.06, 5), np.linspace(-0.06, 0.06, 7)
MIN_RING, MIN_WORST = 0.96, 0.9
# Of what passes for the ring, the sharpest line within so much of the radius from the outermost.
OUTERMOST = 0.05
# A dozen letters, on so many circles that lie close together: with a line that is cut aslant
# they would be fewer, or as dark throughout as it is.
MIN_CHANGES, BAND, FAINT_BAND = 24, 3, 6
CLEAR = 0.5
# These circles, as parts of the radius, lie so many pixels apart at least.
INNERMOST, OUTMOST, STEP, MIN_STEP = 0.6, 0.93, 0.03, 1.2
# Of the steps along a circle those that are about as long as the usual one: beads, ticks, rays.
EVEN = 0.75
# Words about beads, as parts of the radius of the beads.
ABOUT, MARGIN, SIDES = (1.15, 2.2), 2, 6
MIN_EDGE, MIN_SPAN = 28, 40
# What is this much weaker than the edges about it is only their blur.
BLURRED = 0.2
Floats = npt.NDArray[np.float32]
_TURN = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
COS, SIN = np.cos(_TURN), np.sin(_TURN)


@dataclass(frozen=True, slots=True)
class Around:
    """What lies about a place, where a coarser look found a circle of this radius, in pixels."""

    grey: Pixels
    x: float
    y: float
    radius: float

    @classmethod
    def of(cls, sheet: Sheet, x: float, y: float, radius: float) -> Around:
        reach = int(2.3 * radius)
        left = max(0, int(x) - reach)
        top = max(0, int(y) - reach)
        part = sheet.grey[top : int(y) + reach, left : int(x) + reach]
        return cls(part, x - left, y - top, radius)

    def circle(self) -> Floats:
        return np.full(ANGLES, self.radius, np.float32)

    def ring(self) -> Floats | None:
        """How far from the place the outermost ring runs, by angle; None where it has gaps."""
        ink, facing = _edges(self)
        shapes = np.array(list(itertools.product(SHIFTS, SHIFTS, OVALS, OVALS)))
        bends = shapes @ np.stack((COS, SIN, COS**2 - SIN**2, 2 * COS * SIN))
        best: tuple[float, float, Floats] | None = None
        for size in SIZES[::-1]:
            if best and size < best[0] - OUTERMOST:
                break
            lines = self.radius * (size + bends)
            at = np.arange(ANGLES), np.rint(lines).astype(np.int16)
            hits = ink[at]
            worst = hits.reshape(-1, 8, ANGLES // 8).mean(axis=2).min(axis=1)
            sharp = facing[at].mean(axis=1)
            sharp[(hits.mean(axis=1) < MIN_RING) | (worst < MIN_WORST)] = 0
            top = int(sharp.argmax())
            if sharp[top] > (best[1] if best else 0):
                if best:
                    outermost = best[0]
                else:
                    outermost = float(size)
                best = outermost, float(sharp[top]), np.asarray(lines[top], np.float32)
        return best[2] if best else None

    def has_lettering(self, line: Floats) -> bool:
        """Is something written along the inside of this closed line?"""
        circles = np.arange(INNERMOST, OUTMOST, max(STEP, MIN_STEP / self.radius))
        rows = []
        for part in circles:
            rows.append(_along(self, np.float32(part) * line))
        ink, paper = np.percentile(self.grey, (3, 97))
        clear = [_is_written(row, CLEAR * (paper - ink)) for row in rows]
        faint = [_is_written(row, MIN_SPAN) for row in rows]
        return _longest(clear) >= BAND or _longest(faint) >= FAINT_BAND

    def is_written_about(self) -> bool:
        """Does lettering run around the outside of the circle, with paper before and behind it?

        Lines of text that stand about a mark have no end behind which there is only paper.
        """
        parts = np.arange(*ABOUT, max(STEP, MIN_STEP / self.radius))
        rows = []
        for part in parts:
            rows.append(_along(self, np.asarray(part * self.circle(), np.float32)))
        ink, paper = np.percentile(self.grey, (3, 97))
        flags = [_is_written(row, CLEAR * (paper - ink)) for row in rows]
        runs = []
        for flag, run in itertools.groupby(flags):
            runs.append((flag, len(list(run))))
        if len(runs) < 3 or runs[0][0] or min(runs[0][1], runs[2][1]) < MARGIN:
            return False
        start = runs[0][1]
        height = runs[1][1]
        return height >= FAINT_BAND and _runs_around(rows[start + height // 2])


def _runs_around(row: Pixels) -> bool:
    """Is there ink on all sides but one? Between two words there is a gap."""
    low, high = np.percentile(row, (5, 95))
    sides = (row < (low + high) / 2).reshape(SIDES, -1).any(axis=1)
    return bool(sides.sum() >= SIDES - 1)


def _longest(flags: Iterable[bool]) -> int:
    """How many follow one another."""
    return max(
        (len(list(run)) for true, run in itertools.groupby(flags) if true), default=0
    )


def _edges(around: Around) -> tuple[npt.NDArray[np.bool_], Floats]:
    """For each angle and each way from the place: does an edge face it here, and how sharply?"""
    soft = cv2.GaussianBlur(around.grey, (0, 0), 1.0)
    away = np.arange(int(1.4 * around.radius))
    columns = (around.x + np.outer(COS, away)).astype(np.float32)
    rows = (around.y + np.outer(SIN, away)).astype(np.float32)
    across = cv2.remap(
        cv2.Sobel(soft, cv2.CV_32F, 1, 0), columns, rows, cv2.INTER_LINEAR
    )
    down = cv2.remap(cv2.Sobel(soft, cv2.CV_32F, 0, 1), columns, rows, cv2.INTER_LINEAR)
    strength = np.hypot(across, down)
    facing = np.abs(across * COS[:, np.newaxis] + down * SIN[:, np.newaxis])
    floor = max(MIN_EDGE, BLURRED * float(np.median(facing.max(axis=1))))
    sharpest = facing >= cv2.dilate(facing, np.ones((1, 3), np.uint8))
    hit = (sharpest & (strength > floor) & (facing > 0.82 * strength)).astype(np.uint8)
    ink = np.asarray(cv2.dilate(hit, np.ones((1, 3), np.uint8)) > 0)
    return ink, np.asarray(facing, np.float32)


def _along(around: Around, line: Floats) -> Pixels:
    """The grey values along a closed line about the place."""
    turn = np.linspace(0, 2 * np.pi, SAMPLES, endpoint=False)
    away = np.interp(turn, _TURN, line, period=2 * np.pi)
    columns = (around.x + away * np.cos(turn)).astype(np.float32)[np.newaxis]
    rows = (around.y + away * np.sin(turn)).astype(np.float32)[np.newaxis]
    return np.asarray(
        cv2.remap(around.grey, columns, rows, cv2.INTER_LINEAR)[0], np.uint8
    )


def _is_written(row: Pixels, span: float) -> bool:
    """Does it go from paper to ink, so far apart, often enough, and not at even steps?"""
    low, high = np.percentile(row, (5, 95))
    if high - low < max(span, MIN_SPAN):
        return False
    dark = row < (low + high) / 2
    starts = np.flatnonzero(dark & ~np.roll(dark, 1))
    if 2 * len(starts) < MIN_CHANGES:
        return False
    steps = np.diff(starts, append=starts[0] + SAMPLES)
    usual = np.median(steps)
    return bool((np.abs(steps - usual) <= 0.25 * usual).mean() < EVEN)
