"""Boxes on pages, as a service sent them."""

from __future__ import annotations

from reviews.results.kinds import Box
from reviews.results.reading import items

MAX_BOXES = 60


def boxes(value: object) -> tuple[Box, ...]:
    """The usable boxes: on a real page, clipped to the page, and with an area. At most
    MAX_BOXES.
    """
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
            # bool is a subclass of int, so `True` would pass as page 1.
            is_number = page is not True and 1 <= page <= 100_000 and page == int(page)
        case _:
            return None
    if not is_number:
        return None
    left = max(x0, 0.0)
    top = max(y0, 0.0)
    right = min(x1, 1.0)
    bottom = min(y1, 1.0)
    # Comparisons with NaN are false, so a box with NaN is dropped here.
    if left < right and top < bottom:
        return Box(int(page), left, top, right, bottom)
    return None


def area(box: Box) -> float:
    """The area as a fraction of the page's area."""
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes of the same page share, as a fraction of the page's area."""
    left = max(one.x0, other.x0)
    right = min(one.x1, other.x1)
    top = max(one.y0, other.y0)
    bottom = min(one.y1, other.y1)
    if right <= left or bottom <= top:
        return 0.0
    return (right - left) * (bottom - top)
