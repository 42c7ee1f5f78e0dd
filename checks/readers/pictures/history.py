"""Places of a picture that were not there when it was first saved as a JPEG.

JPEG cuts a picture into squares of 8 dots and describes each of them by waves. It rounds the
strength of each wave to whole steps. Saved once more, and more finely, the picture still has
strengths near the steps of the first save. What was put on it between the two saves has not.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.ink import block
from checks.readers.pictures import tunables
from checks.readers.pictures.forensics import GRID, ScannedPicture
from papers.geometry import Box

Mask = npt.NDArray[np.bool_]
Values = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Wave:
    """A wave whose strengths are near the steps of an earlier save.

    `least`: a weaker one counts as none. `nearness`: of all its strengths, from -1 to 1.
    """

    row: int
    column: int
    least: float
    step: int
    nearness: float


@dataclass(frozen=True, slots=True)
class Squares:
    """One value for each square of the picture with its neighbours.

    `nearness`: of their strengths to the steps; 1 is as near as on the rest of the picture.
    `departure`: by how many deviations they are farther than the rest. `known`: whether they have
    enough strengths to tell.
    """

    nearness: Values
    departure: Values
    known: Mask


def added_later(picture: ScannedPicture) -> list[Box]:
    """Return the places that lack the traces of an earlier save, which the rest of the picture has.

    Empty if the picture was saved once, if the last save was too coarse, if the picture was turned
    or resized between the saves, or if too many places lack the traces.
    """
    strengths = _strengths(picture)
    usable = _unclipped_squares(picture)
    waves = _waves(strengths, usable, picture.steps)
    if len(waves) < tunables.LEAST_WAVES:
        return []
    squares = _squares(strengths, usable, waves)
    known = squares.known
    size = int(known.sum())
    if size < tunables.LEAST_SQUARES:
        return []
    # If squares lack the traces everywhere, something else took them away.
    most = int(tunables.MOST_LACKING * size)
    weakest = np.partition(squares.nearness[known], most)[most]
    if float(weakest) < tunables.HAS_TRACES:
        return []
    return _places(picture, squares)


def _strengths(picture: ScannedPicture) -> Values:
    """Return the strengths of the coarser waves of each square."""
    rows, columns = picture.grey.shape
    height, width = rows // GRID, columns // GRID
    whole = picture.grey[: height * GRID, : width * GRID].astype(np.float32)
    squares = whole.reshape(height, GRID, width, GRID).transpose(0, 2, 1, 3)
    waves = _cosines()
    return np.asarray(waves @ squares @ waves.T, dtype=np.float32)


def _cosines() -> Values:
    """Return the waves of the discrete cosine transform, as JPEG defines it."""
    dots = np.arange(GRID)
    waves = np.arange(tunables.WAVES)[:, None]
    angles = (2 * dots + 1) * waves * np.pi / (2 * GRID)
    cosines = np.sqrt(2 / GRID) * np.cos(angles)
    cosines[0] /= np.sqrt(2)
    return np.asarray(cosines, dtype=np.float32)


def _unclipped_squares(picture: ScannedPicture) -> Mask:
    """Return which squares have no full black or white: saving cuts what would go beyond these."""
    rows, columns = picture.grey.shape
    height, width = rows // GRID, columns // GRID
    clipped = picture.clipped[: height * GRID, : width * GRID]
    counts = clipped.reshape(height, GRID, width, GRID).sum(axis=(1, 3))
    return np.asarray(counts == 0)


def _waves(strengths: Values, usable: Mask, last: tuple[int, ...]) -> list[Wave]:
    """Return the waves that show an earlier save. `last`: the steps of the last save, if known."""
    waves = []
    for row in range(tunables.WAVES):
        for column in range(tunables.WAVES):
            if not 0 < row + column < tunables.WAVES:
                continue
            step = last[row * GRID + column] if last else 1
            wave = _wave(strengths[..., row, column][usable], row, column, step)
            if wave is not None:
                waves.append(wave)
    return waves


def _wave(strengths: Values, row: int, column: int, last: int) -> Wave | None:
    least = max(tunables.OF_LAST_STEP * last, tunables.WEAKEST)
    strong = strengths[np.abs(strengths) > least]
    if len(strong) < tunables.LEAST_OF_WAVE:
        return None
    # A sample is enough to find the step.
    sample = strong[:: len(strong) // tunables.SAMPLE + 1]
    first = max(3, int(np.ceil(tunables.COARSER * last)))
    steps = range(first, tunables.WIDEST_STEP)
    if not steps:
        return None
    nearness = np.array([_near(sample, step).mean() for step in steps])
    best = float(nearness.max())
    if best < tunables.NEAR_STEPS:
        return None
    # Strengths near whole steps are near half steps, too: the widest step is the one.
    widest = int(np.flatnonzero(nearness >= tunables.AS_GOOD * best)[-1])
    return Wave(row, column, least, steps[widest], float(nearness[widest]))


def _near(strengths: Values, step: int) -> Values:
    """Return how near each strength is to whole steps: 1 on a step, -1 halfway between two.

    Less than half a step would have been saved as nothing.
    """
    near = np.cos(strengths * (2 * np.pi / step))
    near[np.abs(strengths) < step / 2] = -1
    return np.asarray(near, dtype=np.float32)


def _squares(strengths: Values, usable: Mask, waves: list[Wave]) -> Squares:
    near = np.zeros(usable.shape, np.float32)
    expected = np.zeros(usable.shape, np.float32)
    count = np.zeros(usable.shape, np.float32)
    for wave in waves:
        values = strengths[..., wave.row, wave.column]
        strong = usable & (np.abs(values) > wave.least)
        near[strong] += wave.nearness * _near(values[strong], wave.step)
        expected[strong] += wave.nearness**2
        count[strong] += 1
    near = _with_neighbours(near)
    expected = _with_neighbours(expected)
    count = _with_neighbours(count)
    known = count >= tunables.LEAST_STRENGTHS
    # The sum of more strengths strays farther by chance.
    strays = (expected - near) / np.sqrt(np.maximum(count, 1))
    deviation = tunables.LEAST_DEVIATION
    if known.any():
        low, high = np.percentile(strays[known], tunables.MIDDLE_THIRDS)
        deviation = max(float(high - low) / 2, deviation)
    nearness = near / np.maximum(expected, 1e-6)
    departure = strays / deviation
    return Squares(nearness.astype(np.float32), departure.astype(np.float32), known)


def _with_neighbours(values: Values) -> Values:
    total = cv2.filter2D(
        values, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT
    )
    return np.asarray(total, dtype=np.float32)


def _places(picture: ScannedPicture, squares: Squares) -> list[Box]:
    """Return the places that lack the traces beyond chance, if they are few."""
    lacks = squares.known & (squares.nearness < tunables.LACKS_TRACES)
    lacks &= squares.departure > tunables.DEPARTS
    bare = squares.nearness < tunables.LACKS_ALL
    bare &= squares.departure > tunables.DEPARTS_FAR
    # Words have spaces.
    joined = cv2.morphologyEx(lacks.astype(np.uint8), cv2.MORPH_CLOSE, block(3, 9))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    places = np.unique(labels[lacks & bare]).tolist()
    if len(places) > tunables.MOST_PLACES:
        return []
    boxes = []
    for place in places:
        x, y, width, height, _ = stats[place].tolist()
        boxes.append(picture.box(x * GRID, y * GRID, width * GRID, height * GRID))
    return boxes
