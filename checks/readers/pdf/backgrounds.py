"""Which pictures of a page are together a picture of the page: the ground that all stands on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from checks.readers.pdf import tunables
from papers.geometry import Rectangle


def ground_of(
    images: Mapping[int, Rectangle], page: Rectangle
) -> tuple[frozenset[int], float]:
    """The orders of the pictures that make up the ground, and the share that they cover.

    Scanners store a page as one picture, as strips, or as tiles. Empty where there is no ground.
    """
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
    """The part of the first rectangle that lies in the other one."""
    x0, y0, x1, y1 = inner
    left, bottom, right, top = outer
    return max(x0, left), max(y0, bottom), min(x1, right), min(y1, top)


def _share(image: Rectangle, page: Rectangle) -> float:
    """The share of the page that the image covers."""
    part = _area(_within(image, page))
    return part / max(_area(page), 1.0)


def _overlap(first: Rectangle, other: Rectangle) -> float:
    """The share of the smaller rectangle that lies in the other one."""
    part = _area(_within(first, other))
    smaller = min(_area(first), _area(other))
    return part / max(smaller, 1e-6)


def _union(images: Iterable[Rectangle], page: Rectangle) -> float:
    """The share of the page that lies under at least one of the pictures.

    Counted on a grid: pictures may overlap, and their areas do not add up.
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
