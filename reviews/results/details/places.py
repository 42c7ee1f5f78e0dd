"""Places on pages, as a service sent them."""

from __future__ import annotations

from typing import Any

from reviews.results.kinds import Box
from reviews.results.reading import items

MAX_BOXES = 60


def boxes(value: Any) -> tuple[Box, ...]:
    """The places that are usable: on a page, with an area, within the page."""
    found = (_box(item) for item in items(value)[:MAX_BOXES])
    return tuple(box for box in found if box is not None)


def _box(item: Any) -> Box | None:
    match item:
        case {
            "page": int() | float() as page,
            "x0": int() | float() as x0,
            "y0": int() | float() as y0,
            "x1": int() | float() as x1,
            "y1": int() | float() as y1,
        } if 1 <= page <= 100_000 and page == int(page) and page is not True:
            left, top = max(x0, 0.0), max(y0, 0.0)
            right, bottom = min(x1, 1.0), min(y1, 1.0)
            # A number that is none compares with nothing, so it makes no box.
            if left < right and top < bottom:
                return Box(int(page), left, top, right, bottom)
    return None
