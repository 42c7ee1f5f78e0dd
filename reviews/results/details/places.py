"""Places on pages, as a service sent them."""

from __future__ import annotations

from reviews.results.kinds import Box
from reviews.results.reading import items

MAX_BOXES = 60


def boxes(value: object) -> tuple[Box, ...]:
    """The places that are usable: on a page, with an area, within the page."""
    usable = []
    for item in items(value)[:MAX_BOXES]:
        box = _box(item)
        if box is not None:
            usable.append(box)
    return tuple(usable)


def _box(item: object) -> Box | None:
    match item:
        case {
            "page": int() | float() as page,
            "x0": int() | float() as x0,
            "y0": int() | float() as y0,
            "x1": int() | float() as x1,
            "y1": int() | float() as y1,
        }:
            is_number = page is not True and 1 <= page <= 100_000 and page == int(page)
        case _:
            return None
    if not is_number:
        return None
    left = max(x0, 0.0)
    top = max(y0, 0.0)
    right = min(x1, 1.0)
    bottom = min(y1, 1.0)
    # Comparisons with NaN are false, so it makes no box.
    if left < right and top < bottom:
        return Box(int(page), left, top, right, bottom)
    return None


def area(box: Box) -> float:
    """In fractions of the page."""
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes of a page have in common."""
    left = max(one.x0, other.x0)
    right = min(one.x1, other.x1)
    top = max(one.y0, other.y0)
    bottom = min(one.y1, other.y1)
    if right <= left or bottom <= top:
        return 0.0
    return (right - left) * (bottom - top)
