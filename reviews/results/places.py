"""Places on pages, as a service sent them."""

from __future__ import annotations

from typing import Any

from reviews.results.kinds import Box
from reviews.results.reading import items, number, obj

MAX_BOXES = 60


def boxes(value: Any) -> tuple[Box, ...]:
    """The places that are usable: on a page, with an area, within the page."""
    found = (_box(item) for item in items(value)[:MAX_BOXES])
    return tuple(box for box in found if box is not None)


def _box(item: Any) -> Box | None:
    members = obj(item)
    page = number(members.get("page"))
    edges = [number(members.get(edge)) for edge in ("x0", "y0", "x1", "y1")]
    if page is None or not 1 <= page <= 100_000 or page != int(page):
        return None
    kept = [min(max(edge, 0.0), 1.0) for edge in edges if edge is not None]
    if len(kept) < 4 or kept[2] <= kept[0] or kept[3] <= kept[1]:
        return None
    return Box(int(page), kept[0], kept[1], kept[2], kept[3])
