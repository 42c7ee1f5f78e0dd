"""Seals and stamps: rings with lettering or a drawing inside them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.vision import tunables
from checks.vision.binarisation import Sheet, erase, erase_text
from checks.vision.lettering import Around
from papers.geometry import Box

# In pixels at SEAL_DPI: 0.2 to 1.2 inch. The steps grow with the radius, as the search tolerates
# more.
RADII = (*range(20, 52, 2), *range(52, 90, 3), *range(90, 122, 4))
Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int_]
_TURN = np.linspace(0, 2 * np.pi, tunables.ANGLES, endpoint=False)
COS, SIN = np.cos(_TURN), np.sin(_TURN)


@dataclass(frozen=True, slots=True)
class Round:
    """A round mark.

    `ring` is the drawn share of the circle, `worst` that of its worst eighth, `letters` the number
    of changes between ink and paper along circles within the ring, `ink` the inked share of the
    disk, and `rings` the number of circles around the same centre. A closer look sets the others:
    the ring is `whole` (possibly slightly oval), `lettered`, or has words `about` it, as around the
    beads of a registrar's seal.
    """

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
        # A pale seal on a scan has little ink, but its lettering is still visible.
        return tunables.LEAST_INK <= self.ink <= tunables.MOST_INK

    @property
    def is_seal(self) -> bool:
        """Whether it is a whole ring with lettering along it.

        A large one may be broken by what overlaps it.
        """
        if not self.is_drawn_inside:
            return False
        if self.lettered and (self.whole or self.is_large):
            return True
        return self.about and self.is_round

    @property
    def is_round(self) -> bool:
        return self.ring >= tunables.ROUND_RING and self.worst >= tunables.ROUND_WORST

    @property
    def is_large(self) -> bool:
        return (
            self.radius >= tunables.LARGE_RADIUS
            and self.ring >= tunables.WORN_RING
            and self.has_no_gap
            and self.letters >= tunables.LARGE_LETTERS
            and self.rings >= tunables.LARGE_RINGS
        )

    @property
    def deserves_closer_look(self) -> bool:
        return self.is_drawn_inside and (self.is_clear or self.is_large)

    @property
    def is_clear(self) -> bool:
        """Whether the ring is nearly whole, and large enough for letters."""
        if self.radius < tunables.SMALLEST_RADIUS:
            return False
        return self.ring >= tunables.CLEAR_RING and self.has_no_gap

    @property
    def has_no_gap(self) -> bool:
        return self.worst >= tunables.WORST_EIGHTH

    @property
    def is_ring(self) -> bool:
        """Whether it is a worn or badly scanned ring, which is a seal only if words beside it say
        so.
        """
        return (
            self.is_drawn_inside
            and self.radius >= tunables.SMALLEST_RADIUS
            and self.ring >= tunables.WORN_RING
            and self.has_no_gap
            and self.ink >= tunables.WORN_INK
        )

    @property
    def may_be_seal(self) -> bool:
        """Whether it is round with something like lettering: a faint seal, or a logo."""
        if not self.is_drawn_inside or not self.is_clear:
            return False
        return self.letters >= tunables.DOUBTFUL_LETTERS


def find_rounds(sheet: Sheet, besides: Sequence[Box] = ()) -> list[Round]:
    """Return the round marks of a page, the best first, whether they are seals or not.

    `besides` are places with something else: barcodes, form fields.
    """
    small = sheet.at(tunables.SEAL_DPI)
    edges = _Edges.of(small, besides)
    rounds: list[Round] = []
    for x, y, radius in _centres(edges):
        if not all(_are_apart(x, y, radius, other, small) for other in rounds):
            continue
        mark = _measure(small, edges, x, y, radius)
        if mark is None:
            continue
        # The closer look is slow, so it is only for marks that may be seals.
        if mark.deserves_closer_look:
            mark = _look_closer(sheet, mark)
        rounds.append(mark)
    return rounds


def _centre_of(mark: Round, sheet: Sheet) -> tuple[float, float]:
    """Return the centre of a mark, in pixels of the sheet."""
    x = mark.box.middle_x * sheet.width
    y = mark.box.middle_y * sheet.height
    return x, y


def _look_closer(sheet: Sheet, mark: Round) -> Round:
    """Measure the mark again at full resolution. The search used a reduced one."""
    x, y = _centre_of(mark, sheet)
    around = Around.of(sheet, x, y, mark.radius * sheet.dpi)
    line = around.ring()
    whole = line is not None
    if line is None:
        line = around.circle()
    about = mark.is_round and around.is_written_about()
    return replace(mark, whole=whole, lettered=around.has_lettering(line), about=about)


def _are_apart(x: int, y: int, radius: int, other: Round, sheet: Sheet) -> bool:
    """Whether the circle has another centre than the mark. Circles with one centre are one mark."""
    other_x, other_y = _centre_of(other, sheet)
    reach = tunables.APART * max(radius, other.radius * sheet.dpi)
    return math.hypot(x - other_x, y - other_y) >= reach


@dataclass(frozen=True, slots=True)
class _Edges:
    grey: Pixels
    across: Floats
    down: Floats
    strength: Floats
    floor: float

    @classmethod
    def of(cls, sheet: Sheet, besides: Sequence[Box]) -> _Edges:
        soft = cv2.GaussianBlur(sheet.grey, (0, 0), tunables.EDGE_BLUR)
        across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
        down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        strength = np.hypot(across, down).astype(np.float32)
        # More than half of a page is paper, so this percentile is the noise of its grain. Weaker
        # edges are ignored.
        noise = float(np.percentile(strength, tunables.NOISE_SHARE))
        floor = max(tunables.MIN_FLOOR, tunables.ABOVE_NOISE * noise)
        floor = min(floor, tunables.MAX_FLOOR)
        # Words around a circle are kept: erasing their boxes would erase parts of the ring.
        erase_text(strength, sheet, 1, straight=True)
        erase(strength, sheet, besides, 3)
        return cls(
            np.asarray(soft, np.uint8),
            np.asarray(across, np.float32),
            np.asarray(down, np.float32),
            strength,
            floor,
        )

    def at(self, x: int, y: int, radius: float) -> tuple[Indices, Indices]:
        """Return the rows and columns of the pixels on a circle, limited to the page."""
        return _pixels_on(self.grey, x + radius * COS, y + radius * SIN)

    def facing(self, places: tuple[Indices, Indices]) -> Floats:
        """Return how strongly the edges on a circle face its centre."""
        towards_across = self.across[places] * COS
        towards_down = self.down[places] * SIN
        return np.asarray(np.abs(towards_across + towards_down))


def _pixels_on(grey: Pixels, xs: Reals, ys: Reals) -> tuple[Indices, Indices]:
    height, width = grey.shape
    columns = np.clip(np.rint(xs).astype(int), 0, width - 1)
    rows = np.clip(np.rint(ys).astype(int), 0, height - 1)
    return rows, columns


def _centres(edges: _Edges) -> Iterator[tuple[int, int, int]]:
    """Yield places to which many edges point, with the radius, most votes first (a Hough
    transform).
    """
    height, width = edges.grey.shape
    ys, xs = np.nonzero(edges.strength > edges.floor)
    # A nearly empty page has no mark.
    if len(xs) < tunables.MIN_EDGES:
        return
    share = min(1.0, tunables.MAX_EDGES / len(xs))
    if share < 1:
        # A fixed seed, so that a page always gives the same result.
        sample = np.random.default_rng(0).choice(
            len(xs), tunables.MAX_EDGES, replace=False
        )
        ys = ys[sample]
        xs = xs[sample]
    strength = edges.strength[ys, xs]
    ux = edges.across[ys, xs] / strength
    uy = edges.down[ys, xs] / strength
    centres: list[tuple[float, int, int, int]] = []
    for radius in RADII:
        # A dark line on light paper has edges in both directions, so both count.
        away_x = radius * ux
        away_y = radius * uy
        cx = np.concatenate((xs + away_x, xs - away_x)).astype(np.int32)
        cy = np.concatenate((ys + away_y, ys - away_y)).astype(np.int32)
        votes = _votes(cx, cy, width, height)
        # Votes become a share of the circumference, so that radii can be compared.
        circumference = 2 * np.pi * radius * share
        plane = np.asarray(votes / circumference, np.float32)
        for most, x, y in _peaks(plane, radius):
            centres.append((most, x, y, radius))
    for _, x, y, radius in sorted(centres, reverse=True)[: tunables.MAX_CENTRES]:
        yield x, y, radius


def _votes(cx: Whole, cy: Whole, width: int, height: int) -> Floats:
    """Return how many edges point to each place of the page, in cells of 2 x 2 pixels."""
    inside = (cx >= 0) & (cx < width)
    inside &= (cy >= 0) & (cy < height)
    rows = height // 2 + 1
    columns = width // 2 + 1
    cells = (cy[inside] >> 1) * columns + (cx[inside] >> 1)
    votes = np.bincount(cells, minlength=rows * columns).astype(np.float32)
    plane = votes.reshape(rows, columns)
    gathered = cv2.boxFilter(plane, -1, (3, 3), normalize=False)
    return np.asarray(gathered, np.float32)


def _peaks(plane: Floats, radius: int) -> Iterator[tuple[float, int, int]]:
    """Yield the places with the most votes. Each is blanked after it was returned."""
    for _ in range(tunables.MAX_PEAKS):
        _, most, _, (x, y) = cv2.minMaxLoc(plane)
        if most < tunables.MIN_VOTES:
            return
        yield most, 2 * x + 1, 2 * y + 1
        cv2.circle(plane, (x, y), int(radius * tunables.PEAK_REACH), 0, -1)


def _measure(sheet: Sheet, edges: _Edges, x: int, y: int, radius: int) -> Round | None:
    height, width = edges.grey.shape
    # The circle may extend only slightly beyond the page.
    if min(x, y, width - x, height - y) < radius - tunables.OFF_PAGE:
        return None
    # The vote has a resolution of two pixels, so the centre is refined.
    x, y = _best_centre(edges, x, y, radius)
    # Most candidates fail here, before the expensive measures.
    if _on_circle(edges, x, y, radius).mean() < tunables.MIN_RING:
        return None
    strokes = {}
    drawn_radii = []
    first = int(radius * tunables.INNERMOST_CIRCLE)
    last = int(radius * tunables.OUTERMOST_CIRCLE)
    for r in range(max(tunables.SHORTEST_CIRCLE, first), last):
        strokes[r] = _on_circle(edges, x, y, r)
        if strokes[r].mean() >= tunables.DRAWN:
            drawn_radii.append(r)
    # The outermost drawn circle is the edge of the mark.
    outer = max(drawn_radii, default=radius)
    if outer not in strokes:
        return None
    # A circle that is not quite round is found at two neighbouring radii.
    hit = strokes[outer] | strokes.get(outer - 1, strokes[outer])
    eighths = hit.reshape(8, -1).mean(axis=1)
    disk = _disk(edges.grey, x, y, tunables.DISK * outer)
    paper = float(np.percentile(edges.grey, tunables.PAPER_BELOW))
    return Round(
        box=sheet.box(x - outer, y - outer, x + outer, y + outer),
        radius=outer / sheet.dpi,
        ring=float(hit.mean()),
        worst=float(eighths.min()),
        letters=_letters(edges.grey, x, y, outer),
        ink=float((disk < paper - tunables.DISK_INK).mean()),
        rings=_count_rings(drawn_radii),
    )


def _best_centre(edges: _Edges, x: int, y: int, radius: int) -> tuple[int, int]:
    """Return the place within two pixels whose circle fits the edges best."""
    steps = (-2, -1, 0, 1, 2)
    candidates = []
    for dx, dy in itertools.product(steps, steps):
        candidates.append((x + dx, y + dy))

    def strength(centre: tuple[int, int]) -> float:
        sums = []
        for near in (radius - 1, radius, radius + 1):
            facing = edges.facing(edges.at(*centre, near))
            sums.append(float(facing.sum()))
        return max(sums)

    return max(candidates, key=strength)


def _count_rings(radii: Sequence[int]) -> int:
    """Return the number of circles. One line is detected at several consecutive radii."""
    count = 0
    last = -9
    for radius in radii:
        count += radius - last > tunables.SAME_CIRCLE
        last = radius
    return count


def _on_circle(edges: _Edges, x: int, y: int, radius: int) -> npt.NDArray[np.bool_]:
    """Return for each angle whether there is an edge here that faces the centre."""
    hit = np.zeros(tunables.ANGLES, np.bool_)
    for near in range(radius - 2, radius + 3):
        places = edges.at(x, y, near)
        strength = edges.strength[places]
        straight = edges.facing(places) > tunables.FACING * strength
        is_strong = strength > edges.floor * tunables.NEAR_FLOOR
        hit |= straight & is_strong
    return hit


def _letters(grey: Pixels, x: int, y: int, outer: int) -> int:
    """Return the changes between ink and paper along circles inside the ring.

    Lettering makes many.
    """
    count = max(64, int(2 * np.pi * outer))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    cosines = np.cos(angles)
    sines = np.sin(angles)
    changes = []
    for part in np.arange(tunables.LETTERS_FROM, tunables.LETTERS_TO, tunables.STEP):
        radius = part * outer
        places = _pixels_on(grey, x + radius * cosines, y + radius * sines)
        row = grey[places].astype(np.int16)
        low, high = np.percentile(row, (10, 90))
        # This circle crosses no print.
        if high - low < tunables.MIN_CONTRAST:
            continue
        dark = row < (int(low) + int(high)) / 2
        changes.append(int((dark != np.roll(dark, 1)).sum()))
    if changes:
        return int(np.median(changes))
    return 0


def _disk(grey: Pixels, x: int, y: int, radius: float) -> Pixels:
    """Return the pixels within a circle."""
    reach = int(radius) + 1
    y0 = max(0, y - reach)
    x0 = max(0, x - reach)
    part = grey[y0 : y + reach, x0 : x + reach]
    height, width = part.shape
    rows, columns = np.ogrid[y0 : y0 + height, x0 : x0 + width]
    squares = (columns - x) ** 2 + (rows - y) ** 2
    return np.asarray(part[squares <= radius**2], np.uint8)
