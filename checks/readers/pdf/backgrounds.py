"""Which pictures of a page together are a picture of the page: the ground for everything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from checks.readers.pdf import tunables
from papers.geometry import Rectangle


def ground_of(
    images: Mapping[int, Rectangle], page: Rectangle
) -> tuple[frozenset[int], float]:
    """Return the orders of the pictures that form the ground, and the share of the page they cover.

    Scanners store a page as one picture, as strips, or as tiles. The set is empty if there is no
    ground.
    """
    # One picture that covers the page is enough; only otherwise are tiles put together.
    large: dict[int, float] = {}
    candidates: list[int] = []
    for order, image in images.items():
        share = _share(image, page)
        if share > tunables.WHOLE:
            large[order] = share
        if share >= tunables.TILE:
            candidates.append(order)
    if large:
        return frozenset(large), max(large.values())
    candidates.sort()
    tiles: dict[int, Rectangle] = {}
    for order in candidates[: tunables.MAX_TILES]:
        if _is_apart(images[order], tiles.values()):
            tiles[order] = images[order]
    share = _union(tiles.values(), page)
    if share < tunables.STRIPS:
        return frozenset(), 0.0
    return frozenset(tiles), share


def _is_apart(image: Rectangle, tiles: Iterable[Rectangle]) -> bool:
    for tile in tiles:
        if _overlap(image, tile) > tunables.APART:
            return False
    return True


def _area(rectangle: Rectangle) -> float:
    x0, y0, x1, y1 = rectangle
    width = max(x1 - x0, 0.0)
    height = max(y1 - y0, 0.0)
    return width * height


def _within(inner: Rectangle, outer: Rectangle) -> Rectangle:
    """Return the part of the first rectangle that lies in the other."""
    x0, y0, x1, y1 = inner
    left, bottom, right, top = outer
    return max(x0, left), max(y0, bottom), min(x1, right), min(y1, top)


def _share(image: Rectangle, page: Rectangle) -> float:
    """Return the share of the page that the image covers."""
    part = _area(_within(image, page))
    return part / max(_area(page), 1.0)


def _overlap(first: Rectangle, other: Rectangle) -> float:
    """Return the share of the smaller rectangle that lies in the other."""
    part = _area(_within(first, other))
    smaller = min(_area(first), _area(other))
    return part / max(smaller, 1e-6)


def _union(images: Iterable[Rectangle], page: Rectangle) -> float:
    """Return the share of the page that at least one picture covers.

    It is counted on a grid, because pictures may overlap and their areas do not add up.
    """
    left, bottom, right, top = page
    width = max(right - left, 1e-6)
    height = max(top - bottom, 1e-6)
    cells = np.zeros((tunables.CELLS, tunables.CELLS), dtype=bool)
    for image in images:
        x0, y0, x1, y1 = _within(image, page)
        rows = slice(_cell(y0 - bottom, height), _cell(y1 - bottom, height))
        columns = slice(_cell(x0 - left, width), _cell(x1 - left, width))
        cells[rows, columns] = True
    return float(cells.mean())


def _cell(distance: float, side: float) -> int:
    return round(distance / side * tunables.CELLS)
