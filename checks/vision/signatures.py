"""Handwriting: strokes that are left on a page without its words, seals and ruled lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from checks.data import table
from checks.readers.drawing import Pixels
from checks.readers.ink import block
from checks.text.words import Word
from checks.vision import tunables
from checks.vision.binarisation import (
    Inked,
    Sheet,
    erase,
    erase_text,
    letter_height,
)
from papers.geometry import Box

NO_LETTERS = re.compile(r"\W+$")


@cache
def _words(*kinds: str) -> frozenset[str]:
    """The words of these kinds at places where people sign, in lower case."""
    words: set[str] = set()
    for row in table("signing_words"):
        if row["kind"] in kinds:
            words.update(row["words"].split("|"))
    return frozenset(words)


@dataclass(frozen=True, slots=True)
class Strokes:
    """A group of strokes that may be a signature, with its measures.

    Lengths are inches. `near` is the distance to the next word for signing, `ruled` whether a line
    runs below, `straight` the straight share of the outline, `pieces` and `holes` the number of
    parts and enclosed areas, and `pressure` how much the width of the stroke varies.
    """

    box: Box
    width: float
    height: float
    fill: float
    stroke: float
    pressure: float
    pieces: int
    holes: int
    longest: tuple[float, float]
    straight: float
    near: float
    ruled: bool
    letters: float
    crowd: float

    @property
    def is_signature(self) -> bool:
        return self.score >= tunables.SURE

    @property
    def may_be_signature(self) -> bool:
        return self.score >= tunables.DOUBTFUL

    @property
    def score(self) -> float:
        """Return the points of all features that apply."""
        points = 0.0
        for feature in FEATURES:
            if feature.holds(self):
                points += feature.points
        return points

    @property
    def to_edge(self) -> float:
        """Return the distance to the nearest edge of the page, as a fraction of it."""
        box = self.box
        return min(box.x0, box.y0, 1 - box.x1, 1 - box.y1)


class Feature(NamedTuple):
    """A property that speaks for a signature, or against it (negative points), and the reason."""

    points: float
    holds: Callable[[Strokes], bool]
    reason: str


# Lengths are inches; positions and shares are fractions of the page or of the box.
FEATURES = (
    Feature(1.0, lambda s: s.near < 0.8, "people sign beside such a word"),
    Feature(0.5, lambda s: s.near < 0.35, "the nearer, the surer"),
    Feature(0.7, lambda s: s.ruled, "people sign on a line"),
    Feature(
        1.0,
        lambda s: s.longest[0] > 0.3 and s.longest[1] > 0.13,
        "a pen is seldom lifted",
    ),
    Feature(0.5, lambda s: s.longest[1] > 0.28, "the strokes are higher than print"),
    Feature(0.6, lambda s: s.fill < 0.15, "a signature is mostly paper"),
    Feature(0.6, lambda s: s.letters > 1.8, "it is larger than the words of the page"),
    Feature(
        0.5,
        lambda s: s.letters > 2.6 and s.longest[0] > 0.5 and s.longest[1] > 0.3,
        "a large one in one stroke is no heading",
    ),
    Feature(
        0.4, lambda s: s.box.y1 > 0.4, "signatures stand in the lower part of a page"
    ),
    Feature(-1.2, lambda s: s.straight > 0.45, "frames and tables are straight"),
    Feature(-0.8, lambda s: s.pieces > 14, "print is in many pieces"),
    Feature(-0.8, lambda s: s.holes > 20, "ornaments and codes have many holes"),
    Feature(-0.8, lambda s: s.height > 1.3, "drawings are higher"),
    Feature(-0.6, lambda s: s.box.y0 < 0.18, "letterheads stand at the top"),
    Feature(-0.7, lambda s: s.pressure < 0.12, "printed strokes are of even width"),
    Feature(
        -1.0, lambda s: s.fill > 0.24 and s.height < 0.24, "bold print is low and full"
    ),
    Feature(-1.5, lambda s: s.crowd > 0.05, "maps and drawings go on around it"),
    Feature(-1.0, lambda s: s.to_edge < 0.012, "the shadows of a scan lie at the edge"),
)


def find_lines(inked: Inked) -> list[Box]:
    """Return signature lines: ruled or made of underscores, beside or above a word for signing."""
    page = inked.sheet
    candidates = [*_ruled_lines(inked), *_lines_in_text(page)]
    words = list(filter(_is_for_signing, page.words))
    boxes: list[Box] = []
    for box in candidates:
        length, _ = page.inches(box)
        # Shorter rules are underlined words, longer ones divide the page.
        if not tunables.SHORTEST_LINE <= length <= tunables.LONGEST_LINE:
            continue
        if any(_belongs(page, box, word) for word in words):
            boxes.append(box)
    return boxes


def _ruled_lines(inked: Inked) -> Iterator[Box]:
    shapes, _ = cv2.findContours(
        inked.across, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    for shape in shapes[: tunables.MAX_RULES]:
        x, y, width, height = cv2.boundingRect(shape)
        yield inked.sheet.box(x, y, x + width, y + height)


def _lines_in_text(page: Sheet) -> Iterator[Box]:
    """Yield lines that are made of underscores."""
    for word in page.words:
        if word.text.count("_") >= tunables.UNDERSCORES:
            yield word.box


def _belongs(page: Sheet, line: Box, word: Word) -> bool:
    """Whether a word belongs to a line.

    `Signature:` may be left of it or below; the title of an officer only below.
    """
    place = word.box
    below = (place.y0 - line.y1) * page.height / page.dpi
    shares_columns = place.x1 > line.x0 and place.x0 < line.x1
    # The word is below the line, or overlaps it a little.
    if shares_columns and -tunables.OVER_LINE <= below <= tunables.NEAR_LINE:
        return True
    if _plain(word) not in _words("here"):
        return False
    gap = (line.x0 - place.x1) * page.width / page.dpi
    drop = abs(line.y1 - place.y1) * page.height / page.dpi
    return -tunables.INTO_LINE <= gap <= tunables.NEAR_LINE and drop <= tunables.LEVEL


def _is_for_signing(word: Word) -> bool:
    plain = _plain(word)
    if plain in _words("here", "role"):
        return True
    return word.source == "OCR" and _is_misread(plain)


def _plain(word: Word) -> str:
    """The word in small letters, without what stands behind it."""
    return NO_LETTERS.sub("", word.text.casefold())


@lru_cache(maxsize=4096)
def _is_misread(plain: str) -> bool:
    for word in _words("here", "role"):
        is_long = len(word) >= tunables.LONG_WORD
        if is_long and OSA.distance(plain, word, score_cutoff=1) <= 1:
            return True
    return False


def find_strokes(inked: Inked, besides: Sequence[Box] = ()) -> list[Strokes]:
    """Return the groups of strokes of a page, the likeliest signature first.

    `besides` are places with something else: seals, barcodes, form fields.
    """
    page = inked.sheet
    ink = inked.rest.copy()
    # Remove words and known marks, so that only unexplained ink is left.
    erase_text(ink, page, 2)
    erase(ink, page, besides, 3)
    # Nothing is left on the page.
    if cv2.countNonZero(ink) < tunables.FEWEST:
        return []
    ink = _without_specks(ink, page.dpi)
    # Strokes near each other form one signature. They may be farther apart horizontally than
    # vertically.
    reach = (
        int(page.dpi * tunables.JOINED_ACROSS),
        int(page.dpi * tunables.JOINED_DOWN),
    )
    joined = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, reach))
    count, labels, places, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    candidates = []
    for index in range(1, count):
        x, y, width, height = places[index][:4].tolist()
        if not _has_size_of_signature(width / page.dpi, height / page.dpi):
            continue
        part = (slice(y, y + height), slice(x, x + width))
        in_group = labels[part] == index
        strokes = (in_group & (ink[part] > 0)).astype(np.uint8)
        candidate = _measure(page, strokes, x, y, inked.across, ink)
        if candidate:
            candidates.append(candidate)
    return sorted(candidates, key=lambda candidate: -candidate.score)


def _without_specks(ink: Pixels, dpi: float) -> Pixels:
    """Remove what is too small or too large for a stroke, and solid blocks."""
    _, labels, places, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    width = places[:, 2]
    height = places[:, 3]
    area = places[:, 4]
    longer = np.maximum(width, height)
    fill = area / np.maximum(width * height, 1)
    is_stroke = longer >= dpi * tunables.SHORTEST_STROKE
    is_stroke &= area >= tunables.LEAST_STROKE
    is_stroke &= width <= dpi * tunables.WIDEST_GROUP
    is_stroke &= height <= dpi * tunables.HIGHEST_GROUP
    is_solid = fill > tunables.SOLID
    is_solid &= longer > dpi * tunables.SOLID_LENGTH
    is_stroke &= ~is_solid
    # The first component is the paper.
    is_stroke[0] = False
    return np.asarray(np.where(is_stroke[labels], 255, 0), np.uint8)


def _has_size_of_signature(width: float, height: float) -> bool:
    """Whether the size in inches fits: wider than high, but neither a line nor a drawing."""
    if not tunables.NARROWEST_SIGNATURE <= width <= tunables.WIDEST_GROUP:
        return False
    if not tunables.LOWEST_SIGNATURE <= height <= tunables.HIGHEST_SIGNATURE:
        return False
    # Very flat groups are remains of lines.
    if width / height > tunables.FLATTEST:
        return False
    return height <= tunables.STEEPEST * width


def _measure(
    page: Sheet, strokes: Pixels, x: int, y: int, across: Pixels, ink: Pixels
) -> Strokes | None:
    height, width = strokes.shape
    fill = float(strokes.mean())
    # Cheap measures first: most groups are specks, lines or pictures.
    if not tunables.MIN_FILL <= fill <= tunables.MAX_FILL:
        return None
    grey = page.grey[y : y + height, x : x + width]
    if not _is_ink_on_paper(grey, strokes):
        return None
    stroke, pressure = _pen(strokes)
    if stroke > tunables.WIDEST_STROKE * page.dpi:
        return None
    # Count the separate parts of the strokes and the holes within them.
    shapes, tree = cv2.findContours(strokes, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = []
    for shape, links in zip(shapes, tree[0], strict=True):
        # The last link points to the enclosing shape. Only holes have one.
        if links[3] < 0:
            outer.append(shape)
    largest = max(outer, key=len)
    _, _, wide, high = cv2.boundingRect(largest)
    box = page.box(x, y, x + width, y + height)
    # The strokes cross a signature line, or stand a little above it.
    bottom = y + height + int(page.dpi * tunables.BELOW_STROKES)
    left = max(0, x - 8)
    right = x + width + 8
    below = across[y + height // 3 : bottom, left:right]
    return Strokes(
        box=box,
        width=width / page.dpi,
        height=height / page.dpi,
        fill=fill,
        stroke=stroke / page.dpi,
        pressure=pressure,
        pieces=len(outer),
        holes=len(shapes) - len(outer),
        longest=(wide / page.dpi, high / page.dpi),
        straight=_straight(np.asarray(largest, np.int32), max(wide, high)),
        near=_to_signing_word(page, box),
        ruled=bool(below.any()),
        letters=height / max(letter_height(page), 1.0),
        crowd=_crowd(ink, strokes, x, y, int(page.dpi * tunables.CROWD_REACH)),
    )


def _is_ink_on_paper(grey: Pixels, strokes: Pixels) -> bool:
    inked = strokes > 0
    # Pale strokes are shadows or print from the other side of the paper.
    if np.percentile(grey[inked], tunables.CORE) > tunables.PALE:
        return False
    return bool(np.percentile(grey[~inked], tunables.PAPER_SHARE) >= tunables.PAPER)


def _pen(strokes: Pixels) -> tuple[float, float]:
    """Return the width of the stroke in pixels, and how much it varies."""
    away = cv2.distanceTransform(strokes, cv2.DIST_L2, 3)
    # The middle of a stroke is the local maximum of the distance from its edges.
    farthest = cv2.dilate(away, block(3, 3))
    ridge = (away >= farthest - 1e-6) & (strokes > 0)
    widths = away[ridge]
    mean = float(widths.mean())
    return 2 * mean, float(widths.std()) / max(mean, 1e-3)


def _crowd(ink: Pixels, strokes: Pixels, x: int, y: int, around: int) -> float:
    """Return the inked share of the surroundings. It is high in drawings and maps."""
    height, width = strokes.shape
    top = max(0, y - around)
    left = max(0, x - around)
    part = ink[top : y + height + around, left : x + width + around]
    others = (part > 0).sum() - strokes.sum()
    room = max(part.size - strokes.size, 1)
    return float(others / room)


def _straight(outline: npt.NDArray[np.int32], longer: int) -> float:
    corners = cv2.approxPolyDP(outline, 1.6, closed=True)[:, 0].astype(float)
    following = np.roll(corners, -1, 0)
    sides = np.linalg.norm(following - corners, axis=1)
    long_sides = sides[sides > tunables.STRAIGHT_SIDE * longer]
    return float(long_sides.sum() / max(sides.sum(), 1))


def _to_signing_word(page: Sheet, box: Box) -> float:
    """Return the distance in inches to the nearest word for signing."""
    words = filter(_is_for_signing, page.words)
    return min(
        (_distance(page, box, word.box) for word in words), default=tunables.NOWHERE
    )


def _distance(page: Sheet, box: Box, other: Box) -> float:
    """Return the shortest distance of two boxes in inches."""
    across = max(0.0, box.gap_across(other))
    down = max(0.0, box.gap_down(other))
    dots = math.hypot(across * page.width, down * page.height)
    return dots / page.dpi
