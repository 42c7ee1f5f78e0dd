"""Seals and stamps: rings with something written or drawn inside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.vision.binarisation import Sheet, erase, erase_text
from checks.vision.lettering import Around
from papers.geometry import Box

DPI = 100
# In pixels at DPI: 0.2 to 1.2 inch, in steps that a circle of that size forgives.
RADII = (*range(20, 52, 2), *range(52, 90, 3), *range(90, 122, 4))
ANGLES = 120
MAX_CENTRES = 60
MAX_EDGES = 80_000
MIN_RING = 0.8
SMALLEST = 0.2
# Fewer edges than these make no circle: a page of words only.
MIN_EDGES = 80
Floats = npt.NDArray[np.float32]
_TURN = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
COS, SIN = np.cos(_TURN), np.sin(_TURN)


@dataclass(frozen=True, slots=True)
class Round:
    """A round mark. `ring` is how much of the circle is drawn, `worst` the same of its worst
    eighth, `letters` how often ink and paper change along the circle within the ring, `ink` the
    inked part of the disk, `rings` how many circles run about one centre. A closer look adds
    whether the ring is `whole`, be it a little oval, whether it is `lettered`, and whether words
    run `about` it, as about the beads of a registrar's seal."""

    box: Box
    radius: float
    ring: float
    worst: float
    letters: int
    ink: float
    rings: int
    whole: bool = False
    lettered: bool = False
    about: bool = False

    @property
    def is_drawn_inside(self) -> bool:
        # A pale seal on a scan has little that counts as ink; its lettering still shows.
        return 0.05 <= self.ink <= 0.97

    @property
    def is_seal(self) -> bool:
        """A whole ring with lettering along it; a large one may be broken by what overlaps it."""
        within = self.lettered and (self.whole or self.is_large)
        return self.is_drawn_inside and (within or (self.about and self.is_round))

    @property
    def is_round(self) -> bool:
        return self.ring >= 0.96 and self.worst >= 0.9

    @property
    def is_large(self) -> bool:
        return (
            self.radius >= 0.5
            and self.ring >= 0.88
            and self.worst >= 0.66
            and self.letters >= 40
            and self.rings >= 2
        )

    @property
    def deserves_closer_look(self) -> bool:
        good = self.radius >= SMALLEST and self.ring >= 0.9 and self.worst >= 0.66
        return self.is_drawn_inside and (good or self.is_large)

    @property
    def is_ring(self) -> bool:
        """A ring that is worn or badly scanned: a seal where words beside it say so."""
        return (
            self.is_drawn_inside
            and self.radius >= SMALLEST
            and self.ring >= 0.88
            and self.worst >= 0.66
            and self.ink >= 0.3
        )

    @property
    def may_be_seal(self) -> bool:
        """Round, with something like lettering: a seal that is faint, or a logo."""
        return (
            self.is_drawn_inside
            and self.radius >= SMALLEST
            and self.ring >= 0.9
            and self.worst >= 0.66
            and self.letters >= 15
        )


def find_rounds(sheet: Sheet, besides: Sequence[Box] = ()) -> list[Round]:
    """The round marks of a page, best first, seals or not.

    `besides` are places that hold something else: barcodes, form fields.
    """
    small = sheet.at(DPI)
    edges = _Edges.of(small, besides)
    rounds: list[Round] = []
    for x, y, radius in _centres(edges):
        if all(_apart(x, y, radius, other, small) for other in rounds):
            mark = _measure(small, edges, x, y, radius)
            if mark:
                rounds.append(
                    _look_closer(sheet, mark) if mark.deserves_closer_look else mark
                )
    return rounds


def _look_closer(sheet: Sheet, mark: Round) -> Round:
    """With all the dots there are: so far a part of them was enough."""
    x = (mark.box.x0 + mark.box.x1) / 2 * sheet.width
    y = (mark.box.y0 + mark.box.y1) / 2 * sheet.height
    around = Around.of(sheet, x, y, mark.radius * sheet.dpi)
    line = around.ring()
    whole = line is not None
    if line is None:
        line = around.circle()
    about = mark.is_round and around.is_written_about()
    return replace(mark, whole=whole, lettered=around.has_lettering(line), about=about)


def _apart(x: int, y: int, radius: int, other: Round, sheet: Sheet) -> bool:
    cx = (other.box.x0 + other.box.x1) / 2 * sheet.width
    cy = (other.box.y0 + other.box.y1) / 2 * sheet.height
    reach = 0.8 * max(radius, other.radius * sheet.dpi)
    return (x - cx) ** 2 + (y - cy) ** 2 >= reach**2


@dataclass(frozen=True, slots=True)
class _Edges:
    grey: Pixels
    across: Floats
    down: Floats
    strength: Floats
    floor: float

    @classmethod
    def of(cls, sheet: Sheet, besides: Sequence[Box]) -> _Edges:
        soft = cv2.GaussianBlur(sheet.grey, (0, 0), 1.0)
        across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
        down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        strength = np.hypot(across, down).astype(np.float32)
        noise = float(np.percentile(strength, 60))
        # The box of a word that is set around a circle holds a part of the ring.
        erase_text(strength, sheet, 1, straight=True)
        erase(strength, sheet, besides, 3)
        return cls(
            np.asarray(soft, np.uint8),
            np.asarray(across, np.float32),
            np.asarray(down, np.float32),
            strength,
            min(max(28.0, 2.5 * noise), 60.0),
        )


def _centres(edges: _Edges) -> Iterator[tuple[int, int, int]]:
    """Where many edges point to, with the radius, most votes first."""
    height, width = edges.grey.shape
    ys, xs = np.nonzero(edges.strength > edges.floor)
    if len(xs) < MIN_EDGES:
        return
    share = min(1.0, MAX_EDGES / max(len(xs), 1))
    if share < 1:
        sample = np.random.default_rng(0).choice(len(xs), MAX_EDGES, replace=False)
        ys = ys[sample]
        xs = xs[sample]
    strength = edges.strength[ys, xs]
    ux = edges.across[ys, xs] / strength
    uy = edges.down[ys, xs] / strength
    rows = height // 2 + 1
    columns = width // 2 + 1
    centres: list[tuple[float, int, int, int]] = []
    for radius in RADII:
        # Edges of dark on light point outwards, those of light on dark inwards: both ways count.
        cx = np.concatenate((xs + radius * ux, xs - radius * ux)).astype(np.int32)
        cy = np.concatenate((ys + radius * uy, ys - radius * uy)).astype(np.int32)
        inside = (cx >= 0) & (cx < width) & (cy >= 0) & (cy < height)
        votes = np.bincount(
            (cy[inside] >> 1) * columns + (cx[inside] >> 1), minlength=rows * columns
        ).astype(np.float32)
        gathered = cv2.boxFilter(
            votes.reshape(rows, columns), -1, (3, 3), normalize=False
        )
        plane = np.asarray(gathered / (2 * np.pi * radius * share), np.float32)
        for _ in range(4):
            _, most, _, (x, y) = cv2.minMaxLoc(plane)
            if most < 0.6:
                break
            centres.append((most, 2 * x + 1, 2 * y + 1, radius))
            cv2.circle(plane, (x, y), int(radius * 0.3), 0, -1)
    for _, x, y, radius in sorted(centres, reverse=True)[:MAX_CENTRES]:
        yield x, y, radius


def _measure(sheet: Sheet, edges: _Edges, x: int, y: int, radius: int) -> Round | None:
    height, width = edges.grey.shape
    if min(x, y, width - x, height - y) < radius - 6:
        return None
    near = []
    for dx in (-2, -1, 0, 1, 2):
        for dy in (-2, -1, 0, 1, 2):
            near.append((x + dx, y + dy))
    x, y = max(
        near,
        key=lambda at: max(
            _facing(edges, at[0], at[1], radius + off) for off in (-1, 0, 1)
        ),
    )
    if _on_circle(edges, x, y, radius).mean() < MIN_RING:
        return None
    rings = [r for r in range(int(radius * 0.35), int(radius * 1.5)) if r >= 8]
    strokes = {r: _on_circle(edges, x, y, r) for r in rings}
    outer = max((r for r in rings if strokes[r].mean() >= 0.85), default=radius)
    if outer not in strokes:
        return None
    hit = strokes[outer] | strokes.get(outer - 1, strokes[outer])
    disk = _ring(edges.grey, x, y, 0.0, 0.92 * outer)
    paper = float(np.percentile(edges.grey, 80))
    circles = 0
    last = -9
    for r in rings:
        if strokes[r].mean() >= 0.85:
            circles += r - last > 3
            last = r
    return Round(
        sheet.box(x - outer, y - outer, x + outer, y + outer),
        outer / sheet.dpi,
        float(hit.mean()),
        min(float(part.mean()) for part in np.split(hit, 8)),
        _letters(edges.grey, x, y, outer),
        float((disk < paper - 40).mean()),
        circles,
    )


def _on_circle(edges: _Edges, x: int, y: int, radius: int) -> npt.NDArray[np.bool_]:
    """For each angle: does an edge lie here that faces the centre?"""
    height, width = edges.grey.shape
    hit = np.zeros(ANGLES, np.bool_)
    for off in (-2, -1, 0, 1, 2):
        px = np.clip(np.rint(x + (radius + off) * COS).astype(int), 0, width - 1)
        py = np.clip(np.rint(y + (radius + off) * SIN).astype(int), 0, height - 1)
        strength = edges.strength[py, px]
        facing = np.abs(edges.across[py, px] * COS + edges.down[py, px] * SIN)
        hit |= (strength > edges.floor * 0.85) & (facing > 0.82 * strength)
    return hit


def _facing(edges: _Edges, x: int, y: int, radius: int) -> float:
    """How strongly the edges on exactly this circle face its centre."""
    px = np.clip(np.rint(x + radius * COS).astype(int), 0, edges.grey.shape[1] - 1)
    py = np.clip(np.rint(y + radius * SIN).astype(int), 0, edges.grey.shape[0] - 1)
    return float(np.abs(edges.across[py, px] * COS + edges.down[py, px] * SIN).sum())


def _letters(grey: Pixels, x: int, y: int, outer: int) -> int:
    """Changes between ink and paper along circles inside the ring: lettering makes many."""
    height, width = grey.shape
    count = max(64, int(2 * np.pi * outer))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    changes = []
    for part in np.arange(0.66, 0.95, 0.03):
        px = np.clip(
            np.rint(x + part * outer * np.cos(angles)).astype(int), 0, width - 1
        )
        py = np.clip(
            np.rint(y + part * outer * np.sin(angles)).astype(int), 0, height - 1
        )
        row = grey[py, px].astype(np.int16)
        low, high = np.percentile(row, (10, 90))
        if high - low < 24:
            continue
        dark = row < (int(low) + int(high)) / 2
        changes.append(int((dark != np.roll(dark, 1)).sum()))
    if changes:
        return int(np.median(changes))
    return 0


def _ring(grey: Pixels, x: int, y: int, inner: float, outer: float) -> Pixels:
    reach = int(outer) + 1
    y0 = max(0, y - reach)
    x0 = max(0, x - reach)
    part = grey[y0 : y + reach, x0 : x + reach]
    rows, columns = np.ogrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    away = (columns - x) ** 2 + (rows - y) ** 2
    return np.asarray(part[(away <= outer**2) & (away >= inner**2)], np.uint8)
