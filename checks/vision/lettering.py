"""A closer look at small rings: whether there is lettering inside or around the line."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.readers.ink import block
from checks.vision import tunables
from checks.vision.binarisation import Sheet

# How far the line may differ from the circle that was found, as fractions of its radius: the radius
# itself, the position of the centre, and the extra length of one axis, upright and diagonal.
SIZES = np.arange(0.8, 1.11, 0.02)
SHIFTS, OVALS = np.linspace(-0.06, 0.06, 5), np.linspace(-0.06, 0.06, 7)
Floats = npt.NDArray[np.float32]
TURN = np.linspace(0, 2 * np.pi, tunables.ANGLES, endpoint=False)
COS, SIN = np.cos(TURN), np.sin(TURN)
ALL_ANGLES = np.arange(tunables.ANGLES)
FINE_TURN = np.linspace(0, 2 * np.pi, tunables.SAMPLES, endpoint=False)
FINE_COS, FINE_SIN = np.cos(FINE_TURN), np.sin(FINE_TURN)
# Each row is one deformation of a circle: a shift across and down, and two ovals.
BENDS = np.array(list(itertools.product(SHIFTS, SHIFTS, OVALS, OVALS))) @ np.stack(
    (COS, SIN, COS**2 - SIN**2, 2 * COS * SIN)
)


@dataclass(frozen=True, slots=True)
class Around:
    """The surroundings of a place where a coarser search found a circle of this radius, in
    pixels.
    """

    grey: Pixels
    x: float
    y: float
    radius: float

    @classmethod
    def of(cls, sheet: Sheet, x: float, y: float, radius: float) -> Around:
        reach = int(tunables.CLOSER_REACH * radius)
        left = max(0, int(x) - reach)
        top = max(0, int(y) - reach)
        part = sheet.grey[top : int(y) + reach, left : int(x) + reach]
        return cls(part, x - left, y - top, radius)

    def circle(self) -> Floats:
        return np.full(tunables.ANGLES, self.radius, np.float32)

    def ring(self) -> Floats | None:
        """Return the distance of the outermost ring from the place, by angle; None if it
        has gaps.
        """
        ink, facing = _edges(self)
        outermost = 0.0
        sharpest = 0.0
        ring: Floats | None = None
        # From the outside inwards. Once a closed ring was found, only rings close to it are
        # considered.
        for size in SIZES[::-1]:
            if size < outermost - tunables.OUTERMOST:
                break
            lines = self.radius * (size + BENDS)
            places = np.rint(lines).astype(np.int16)
            hits = ink[ALL_ANGLES, places]
            sharpness = facing[ALL_ANGLES, places].mean(axis=1)
            # A ring with gaps is not considered, however sharp it is.
            sharpness[~_are_closed(hits)] = 0
            best = int(sharpness.argmax())
            if sharpness[best] <= sharpest:
                continue
            if ring is None:
                outermost = float(size)
            sharpest = float(sharpness[best])
            ring = np.asarray(lines[best], np.float32)
        return ring

    def has_lettering(self, line: Floats) -> bool:
        """Whether there is lettering along the inside of this closed line."""
        clear = []
        faint = []
        clear_span = self._clear_span()
        for part in np.arange(tunables.INNERMOST, tunables.OUTMOST, self._step()):
            row = _along(self, np.float32(part) * line)
            clear.append(_is_written(row, clear_span))
            faint.append(_is_written(row, tunables.MIN_SPAN))
        return (
            _longest(clear) >= tunables.BAND or _longest(faint) >= tunables.FAINT_BAND
        )

    def _step(self) -> float:
        """Return the distance from one circle to the next, as a fraction of the radius."""
        return max(tunables.STEP, tunables.MIN_STEP / self.radius)

    def _clear_span(self) -> float:
        """Return the difference between ink and paper, in grey values, for clear letters."""
        ink, paper = np.percentile(
            self.grey, (tunables.CLEAR_DARK, tunables.CLEAR_LIGHT)
        )
        return tunables.CLEAR * float(paper - ink)

    def is_written_about(self) -> bool:
        """Whether lettering runs around the outside of the circle, with paper on both sides of it.

        Ordinary lines of text around a mark do not end at an outer circle of paper.
        """
        rows = []
        flags = []
        span = self._clear_span()
        for part in np.arange(tunables.ABOUT_FROM, tunables.ABOUT_TO, self._step()):
            circle = np.asarray(part * self.circle(), np.float32)
            row = _along(self, circle)
            rows.append(row)
            flags.append(_is_written(row, span))
        lengths = []
        for _, run in itertools.groupby(flags):
            lengths.append(len(list(run)))
        # From the beads outwards: paper, letters, paper, then anything.
        if len(lengths) < 3 or flags[0]:
            return False
        before, height, behind = lengths[:3]
        if min(before, behind) < tunables.ABOUT_MARGIN or height < tunables.FAINT_BAND:
            return False
        return _runs_around(rows[before + height // 2])


def _are_closed(hits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return for each line whether nearly all of it is drawn, also in its worst eighth."""
    eighths = hits.reshape(-1, 8, tunables.ANGLES // 8).mean(axis=2)
    worst = eighths.min(axis=1)
    closed: npt.NDArray[np.bool_] = hits.mean(axis=1) >= tunables.CLOSER_RING
    return np.asarray(closed & (worst >= tunables.CLOSER_WORST))


def _runs_around(row: Pixels) -> bool:
    """Whether there is ink on all sides except one.

    A gap separates the last word from the first.
    """
    low, high = np.percentile(row, (5, 95))
    dark = row < (low + high) / 2
    sides = dark.reshape(tunables.SIDES, -1).any(axis=1)
    return bool(sides.sum() >= tunables.SIDES - 1)


def _longest(flags: Iterable[bool]) -> int:
    """Return the length of the longest run of True."""
    longest = length = 0
    for flag in flags:
        length = length + 1 if flag else 0
        longest = max(longest, length)
    return longest


def _rays(around: Around) -> tuple[Floats, Floats]:
    """Return the places in all directions: one row for each angle, one column for each step of distance."""
    away = np.arange(int(tunables.LINE_REACH * around.radius))
    columns = around.x + np.outer(COS, away)
    rows = around.y + np.outer(SIN, away)
    return columns.astype(np.float32), rows.astype(np.float32)


def _edges(around: Around) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return for each angle and distance whether an edge faces the place, and how sharp it is."""
    soft = cv2.GaussianBlur(around.grey, (0, 0), tunables.EDGE_BLUR)
    columns, rows = _rays(around)
    slope_across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
    slope_down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    across = cv2.remap(slope_across, columns, rows, cv2.INTER_LINEAR)
    down = cv2.remap(slope_down, columns, rows, cv2.INTER_LINEAR)
    strength = np.hypot(across, down)
    towards_across = across * COS[:, np.newaxis]
    towards_down = down * SIN[:, np.newaxis]
    facing = np.abs(towards_across + towards_down)
    usual = float(np.median(facing.max(axis=1)))
    floor = max(tunables.MIN_EDGE, tunables.BLURRED * usual)
    neighbours = block(1, 3)
    hits = facing >= cv2.dilate(facing, neighbours)
    hits &= strength > floor
    hits &= facing > tunables.FACING * strength
    # An edge one pixel beside the line still counts.
    ink = cv2.dilate(hits.astype(np.uint8), neighbours) > 0
    return np.asarray(ink), np.asarray(facing, np.float32)


def _along(around: Around, line: Floats) -> Pixels:
    """Return the grey values along a closed line around the place."""
    away = np.interp(FINE_TURN, TURN, line, period=2 * np.pi)
    columns = around.x + away * FINE_COS
    rows = around.y + away * FINE_SIN
    # OpenCV wants a table of places: here of one row.
    across = columns.astype(np.float32)[np.newaxis]
    down = rows.astype(np.float32)[np.newaxis]
    values = cv2.remap(around.grey, across, down, cv2.INTER_LINEAR)
    return np.asarray(values[0], np.uint8)


def _is_written(row: Pixels, span: float) -> bool:
    """Whether the values alternate between paper and ink often and irregularly enough for
    letters.
    """
    low, high = np.percentile(row, (5, 95))
    # Without enough contrast there is neither ink nor paper.
    if high - low < max(span, tunables.MIN_SPAN):
        return False
    dark = row < (low + high) / 2
    starts = np.flatnonzero(dark & ~np.roll(dark, 1))
    if 2 * len(starts) < tunables.MIN_CHANGES:
        return False
    # The last step goes around to the first letter.
    steps = np.diff(starts, append=starts[0] + tunables.SAMPLES)
    usual = np.median(steps)
    # Letters have different widths. Ticks of a dial or beads have even steps.
    even = np.abs(steps - usual) <= tunables.LIKE_USUAL * usual
    return bool(even.mean() < tunables.EVEN_STEPS)
