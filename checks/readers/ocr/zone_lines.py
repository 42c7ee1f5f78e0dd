"""Finds the lines of a machine-readable zone on a picture, and their cells.

A zone is a wide block of dark print at any angle. Each such block is cut out, straightened, and
read in both directions. A block that is no zone does not fit a row of cells well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from checks.readers.ink import Grey, block
from checks.readers.ocr import tunables, zone_characters
from checks.readers.ocr.zone_characters import CAPITAL, CHARACTERS, HEIGHT, PITCH
from papers.geometry import Rectangle

Values = Any  # numbers; OpenCV does not declare the type of its results
# Characters a line: passports (TD3), visas and cards of type 2 (TD2), identity cards (TD1).
WIDTHS = (44, 36, 30)
NONE = len(CHARACTERS)


@dataclass(frozen=True, slots=True)
class ZoneLine:
    """A line of cells.

    `cells` has the logarithm of the probability of each character in each cell (width x 37).
    `place` is in fractions of the picture. `fit` is how well the cells fit; 6 is the best.
    """

    cells: Values
    place: Rectangle
    fit: float

    @property
    def width(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class _Strip:
    """A block that was cut out and straightened.

    `to_picture` maps its dots to fractions of the picture.
    """

    grey: Grey
    to_picture: Values


def zone_lines(grey: Grey) -> Iterator[list[ZoneLine]]:
    """Yield the lines of each block that may be a zone, the largest block first."""
    for strip in _strips(grey):
        best: list[ZoneLine] = []
        for turned in (strip, _upside_down(strip)):
            lines = _lines(turned)
            if _evidence(lines) > _evidence(best):
                best = lines
        if best:
            yield best


def _evidence(lines: Sequence[ZoneLine]) -> float:
    """Return how likely the lines are right.

    Lines that are read upside down have few sure cells.
    """
    total = 0.0
    for line in lines:
        total += float(np.exp(line.cells.max(axis=1)).sum())
    return total


def _strips(grey: Grey) -> Iterator[_Strip]:
    blocks = []
    # The page is searched as it is and turned by a quarter; the two other directions are tried on
    # the block.
    for quarter in (0, 1):
        page = grey
        if quarter:
            page = cv2.rotate(grey, cv2.ROTATE_90_CLOCKWISE)
        scale = tunables.ZONE_WIDTH / page.shape[1]
        small = _resized(page, scale)
        contours, _ = cv2.findContours(
            print_of(small), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        for contour in contours:
            block = _lying(cv2.minAreaRect(contour))
            if _may_hold_zone(block):
                _, _, long, high, _ = block
                blocks.append((long * high, quarter, scale, block))
    blocks.sort(key=lambda block: block[0], reverse=True)
    for _, quarter, scale, block in blocks[: tunables.MAX_ZONE_BLOCKS]:
        yield _strip(grey, quarter, scale, block)


def _resized(grey: Grey, scale: float) -> Grey:
    # Area keeps thin strokes when a picture shrinks; cubic keeps edges smooth when it grows.
    method = cv2.INTER_CUBIC
    if scale < 1:
        method = cv2.INTER_AREA
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=method)


def print_of(page: Grey) -> Grey:
    """Return where dark print is, as one surface for each block."""
    smooth = cv2.GaussianBlur(page, (3, 3), 0)
    # The black-hat filter keeps what is dark and narrow: letters, but not shades.
    letter = block(9, 25)
    dark = cv2.morphologyEx(smooth, cv2.MORPH_BLACKHAT, letter)
    upright_edges = np.abs(cv2.Sobel(dark, cv2.CV_32F, 1, 0))
    strongest = max(float(upright_edges.max()), 1.0)
    edges: Grey = np.asarray(255 * upright_edges / strongest, np.uint8)
    # First merge the letters of a line, then the lines of a block.
    between_letters = block(5, 21)
    edges = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, between_letters)
    _, surface = cv2.threshold(edges, 0, 255, cv2.THRESH_OTSU)
    between_lines = block(17, 31)
    surface = cv2.morphologyEx(surface, cv2.MORPH_CLOSE, between_lines)
    thin = block(3, 3)
    return np.asarray(cv2.erode(surface, thin, iterations=2))


def _lying(rectangle: Values) -> tuple[float, float, float, float, float]:
    """Return centre, length, height and angle of OpenCV's rectangle, with the longer side as
    length.
    """
    (x, y), (long, high), angle = rectangle
    if long < high:
        long, high, angle = high, long, angle - 90
    if angle < -90:
        angle += 180
    return x, y, long, high, angle


def _may_hold_zone(block: tuple[float, float, float, float, float]) -> bool:
    _, _, long, high, angle = block
    is_wide = long > tunables.MIN_ZONE * tunables.ZONE_WIDTH
    # A steeper block is found when the picture is turned by a quarter.
    is_flat = long > tunables.MIN_RATIO * high and abs(angle) <= 46
    return is_wide and is_flat and high > tunables.EDGE


def _strip(
    grey: Grey,
    quarter: int,
    scale: float,
    block: tuple[float, float, float, float, float],
) -> _Strip:
    """Cut out a block with its surroundings, in the size for reading."""
    x, y, long, high, angle = block
    # One line of the zone alone: the others stand above or below it.
    around = tunables.AROUND_ZONE
    if long > tunables.LINE_RATIO * high:
        around = tunables.AROUND_LINE
    width = long * 1.06 + 2 * tunables.EDGE
    height = high * (1 + 2 * around) + 2 * tunables.EDGE
    size = tunables.STRIP_WIDTH / width
    turn = np.vstack([cv2.getRotationMatrix2D((x, y), angle, 1), [0, 0, 1]])
    left, top = x - width / 2, y - height / 2
    cut = np.array([[size, 0, -left * size], [0, size, -top * size], [0, 0, 1]])
    matrix = cut @ turn @ np.diag([scale, scale, 1.0])
    page = grey
    if quarter:
        page = cv2.rotate(grey, cv2.ROTATE_90_CLOCKWISE)
    # Shrinking without smoothing would create false edges.
    shrunk = size * scale
    if shrunk < tunables.SHRUNK:
        page = cv2.GaussianBlur(page, (0, 0), 0.4 / shrunk)
    straight = cv2.warpAffine(
        page,
        matrix[:2],
        (int(width * size), int(height * size)),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    rows, columns = page.shape
    to_picture = np.diag([1 / columns, 1 / rows, 1.0]) @ np.linalg.inv(matrix)
    if quarter:
        # Undo the clockwise turn: the left edge of the turned picture was the lower one.
        turn_back = np.array([[0, 1, 0], [-1, 0, 1], [0, 0, 1]])
        to_picture = turn_back @ to_picture
    return _Strip(straight, to_picture)


def _upside_down(strip: _Strip) -> _Strip:
    rows, columns = strip.grey.shape
    turned = np.array([[-1, 0, columns], [0, -1, rows], [0, 0, 1.0]])
    return _Strip(cv2.rotate(strip.grey, cv2.ROTATE_180), strip.to_picture @ turned)


def _lines(strip: _Strip) -> list[ZoneLine]:
    level, slope = _level(strip.grey)
    lines: list[ZoneLine] = []
    for top, bottom in _bands(level):
        line = _line(level, top, bottom)
        if line is None:
            continue
        cells, fit = line
        place = _place(strip, slope, top, bottom)
        lines.append(ZoneLine(cells, place, fit))
    return lines


def _place(strip: _Strip, slope: float, top: int, bottom: int) -> Rectangle:
    """Return the band of a levelled strip as a rectangle of the picture."""
    columns = strip.grey.shape[1]
    corners = []
    for x in (0, columns):
        # The band was level at the middle of the strip.
        shift = slope * (x - columns / 2)
        for y in (top, bottom):
            corners.append((x, y - shift, 1))
    points = strip.to_picture @ np.array(corners, dtype=float).T
    left, upper = np.clip(points[:2].min(axis=1), 0, 1)
    right, lower = np.clip(points[:2].max(axis=1), 0, 1)
    return float(left), float(upper), float(right), float(lower)


def _print_edges(strip: Grey) -> Grey:
    """Return the strength of the vertical edges of narrow dark print."""
    dark = cv2.morphologyEx(strip, cv2.MORPH_BLACKHAT, block(25, 25))
    smooth = cv2.GaussianBlur(dark, (0, 0), 1.5)
    return np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0))


def _sheared(strip: Grey, slope: float) -> Grey:
    height, width = strip.shape
    matrix = np.array([[1, 0, 0], [slope, 1, -slope * width / 2]])
    return cv2.warpAffine(
        strip, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
    )


def _level(strip: Grey) -> tuple[Grey, float]:
    """Return the strip with level lines, and the slope that was removed.

    The right slope is the one at which the sums of the rows differ most.
    """
    edges = cv2.resize(
        _print_edges(strip), None, fx=0.25, fy=0.5, interpolation=cv2.INTER_AREA
    )
    best, best_slope = -1.0, 0.0
    for slope in np.linspace(-0.05, 0.05, 41):
        sums = _sheared(edges, 2 * slope).sum(axis=1)
        contrast = float((np.diff(sums) ** 2).sum())
        if contrast > best:
            best, best_slope = contrast, float(slope)
    return _sheared(strip, best_slope), best_slope


def _bands(strip: Grey) -> list[tuple[int, int]]:
    """Return the upper and lower edges of the lines."""
    sums = _print_edges(strip)[:, 20:-20].mean(axis=1)
    smooth = np.convolve(sums, np.ones(5) / 5, "same")
    is_line = smooth > 0.35 * np.percentile(smooth, 97)
    # A change is the upper edge of a line or the lower one, also at the ends of the strip.
    padded = np.concatenate([[0], is_line, [0]])
    edges = np.flatnonzero(np.diff(padded))
    bands: list[tuple[int, int]] = []
    for top, bottom in edges.reshape(-1, 2):
        if tunables.LOWEST_LINE <= bottom - top <= tunables.HIGHEST_LINE:
            bands.append((int(top), int(bottom)))
    return bands


def _line(strip: Grey, top: int, bottom: int) -> tuple[Values, float] | None:
    """Return the cells of the line in a band, with the number of cells that fits best, and
    the fit.
    """
    capital = bottom - top
    line = _straight(strip, top, bottom)
    left, right = _extent(line, capital)
    best: tuple[Values, float] | None = None
    for count in WIDTHS:
        pitch = (right - left) / (count - 0.2)
        # The proportions of a character are fixed, so most counts are excluded without running the
        # network.
        if not tunables.NARROWEST_CELL < pitch / capital < tunables.WIDEST_CELL:
            continue
        probabilities = zone_characters.log_probabilities(_normal(line, pitch, capital))
        if len(probabilities) < count * PITCH:
            continue
        fit, middles = _best_row(probabilities, count)
        if fit > tunables.LEAST_FIT and (best is None or fit > best[1]):
            best = probabilities[middles, :NONE], fit
    return best


def _straight(strip: Grey, top: int, bottom: int) -> Grey:
    """Return the line in the middle third of a strip of its own.

    In a photograph two lines may have different slopes, so each is straightened alone.
    """
    capital = bottom - top
    middle = (top + bottom) / 2
    height, width = strip.shape
    edges = _print_edges(strip)
    upper = max(int(middle - capital), 0)
    lower = min(int(middle + capital), height)
    rows = np.arange(upper, lower)
    near = np.exp(-(((rows - middle) / (0.8 * capital)) ** 2))
    xs: list[float] = []
    ys: list[float] = []
    for part in np.array_split(np.arange(width), 12):
        weights = edges[upper:lower, part].sum(axis=1) * near
        total = float(weights.sum())
        if total > 0:
            xs.append(float(part.mean()))
            ys.append(float((rows * weights).sum()) / total)
    slope = 0.0
    if len(xs) > 4:
        fitted_slope, offset = np.polyfit(xs, ys, 1)
        if abs(fitted_slope) < tunables.STEEPEST_LINE:
            slope = float(fitted_slope)
            middle = slope * width / 2 + float(offset)
    down = slope * width / 2 - middle + 1.5 * capital
    return cv2.warpAffine(
        strip,
        np.array([[1, 0, 0], [-slope, 1, down]]),
        (width, 3 * capital),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _extent(line: Grey, capital: int) -> tuple[float, float]:
    """Return where the print of a line begins and ends."""
    edges = _print_edges(line)[capital : 2 * capital].mean(axis=0)
    smooth = np.convolve(edges, np.ones(capital) / capital, "same")
    inked = np.flatnonzero(smooth > 0.3 * np.percentile(smooth, 70))
    if not len(inked):
        return 0.0, float(line.shape[1])
    margin = 0.3 * capital
    first = float(inked[0])
    last = float(inked[-1])
    return first + margin, last - margin


def _normal(line: Grey, pitch: float, capital: int) -> Grey:
    """Return the line in the size of the network, with white paper and black ink."""
    wider = PITCH / pitch
    higher = CAPITAL / capital
    matrix = np.array([[wider, 0, 0], [0, higher, HEIGHT / 2 - 1.5 * capital * higher]])
    method = cv2.INTER_LINEAR
    if wider > 1:
        method = cv2.INTER_CUBIC
    sized = cv2.warpAffine(
        line,
        matrix,
        (int(line.shape[1] * wider), HEIGHT),
        flags=method,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return evenly_inked(sized)


def evenly_inked(line: Grey) -> Grey:
    """Return the line divided by its paper, and stretched so that its darkest dots are black."""
    lightest = cv2.morphologyEx(line, cv2.MORPH_CLOSE, block(9, 9))
    paper = cv2.blur(lightest, (41, 41)).astype(np.float32)
    # One more, so that nothing is divided by 0.
    share = np.clip(line / (paper + 1), 0, 1)
    darkest = float(np.percentile(share, 3))
    contrast = max(1 - darkest, 0.05)
    stretched = (share - darkest) / contrast
    grey = np.clip(stretched, 0, 1) * 255
    return grey.astype(np.uint8)


def _best_row(probabilities: Values, count: int) -> tuple[float, list[int]]:
    """Return the fit and the middles of the best row of `count` cells, by dynamic programming.

    Neighbours are 13 to 19 dots apart; a distance other than the width of a cell (16) costs points.
    """
    # The fit of a column: how much more likely its best character is than none. It is limited, so
    # that one sure column cannot outweigh several bad ones.
    likely = probabilities[:, :NONE].max(axis=1) - probabilities[:, NONE]
    fits = np.clip(likely, -6, 6)
    columns = np.arange(len(fits))
    distances = range(PITCH - 3, PITCH + 4)
    best = fits.copy()
    chosen: list[Values] = []
    for _ in range(count - 1):
        options = np.full((len(distances), len(fits)), -1e9)
        for row, distance in enumerate(distances):
            strain = tunables.STRAIN * (distance - PITCH) ** 2
            options[row, distance:] = best[:-distance] - strain
        choice = options.argmax(axis=0)
        chosen.append(choice)
        best = options[choice, columns] + fits
    middle = int(best.argmax())
    fit = float(best[middle]) / count
    middles = [middle]
    for choice in reversed(chosen):
        middle -= distances[int(choice[middle])]
        middles.append(middle)
    middles.reverse()
    return fit, middles
