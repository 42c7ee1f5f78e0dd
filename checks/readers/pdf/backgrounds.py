"""Which pictures of a page are together a picture of the page: the ground that all stands on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from papers.geometry import Rectangle

# One picture of this share of the page is what one sees of it; strips must cover more, for
# a page of words may hold many pictures.
WHOLE, STRIPS = 0.5, 0.8
# A strip or a tile is not smaller; a patch and a stamp are.
TILE = 0.01
# What lies on another picture is no tile of the ground.
APART = 0.3
CELLS = 100
MAX_TILES = 400


def ground_of(
    images: Mapping[int, Rectangle], page: Rectangle
) -> tuple[frozenset[int], float]:
    """The orders of the pictures that make up the ground, and the share that they cover.

    Scanners store a page as one picture, as strips, or as tiles. Empty where there is no ground.
    """
    shares = {order: _share(image, page) for order, image in images.items()}
    large = {order: share for order, share in shares.items() if share > WHOLE}
    if large:
        return frozenset(large), max(large.values())
    tiles: list[int] = []
    candidates = [order for order, share in shares.items() if share >= TILE]
    for order in sorted(candidates)[:MAX_TILES]:
        if all(_overlap(images[order], images[other]) <= APART for other in tiles):
            tiles.append(order)
    covered = _union([images[order] for order in tiles], page)
    if covered >= STRIPS:
        return (frozenset(tiles), covered)
    return (frozenset(), 0.0)


def _area(rectangle: Rectangle) -> float:
    x0, y0, x1, y1 = rectangle
    return max(x1 - x0, 0.0) * max(y1 - y0, 0.0)


def _within(inner: Rectangle, other: Rectangle) -> Rectangle:
    return (
        max(inner[0], other[0]),
        max(inner[1], other[1]),
        min(inner[2], other[2]),
        min(inner[3], other[3]),
    )


def _share(image: Rectangle, page: Rectangle) -> float:
    return _area(_within(image, page)) / max(_area(page), 1.0)


def _overlap(first: Rectangle, other: Rectangle) -> float:
    return _area(_within(first, other)) / max(min(_area(first), _area(other)), 1e-6)


def _union(images: list[Rectangle], page: Rectangle) -> float:
    """The share of the page that lies under at least one of the pictures."""
    left, bottom, right, top = page
    width = max(right - left, 1e-6)
    height = max(top - bottom, 1e-6)
    cells = np.zeros((CELLS, CELLS), dtype=bool)
    for image in images:
        x0, y0, x1, y1 = _within(image, page)
        first_column = round((x0 - left) / width * CELLS)
        last_column = round((x1 - left) / width * CELLS)
        first_row = round((y0 - bottom) / height * CELLS)
        last_row = round((y1 - bottom) / height * CELLS)
        cells[first_row:last_row, first_column:last_column] = True
    return float(cells.mean())
