"""Compared faces: where each face is, and which section of the page image shows it."""

from __future__ import annotations

from typing import NamedTuple

from reviews.models import Page
from reviews.results.details.places import boxes
from reviews.results.kinds import Face, Faces
from reviews.results.reading import items, obj, text
from reviews.wire import JsonObject

KEY = "face_match"
MAX_FACES = 4
# Share of the face's size, added on each side, so that hair and chin are visible.
MARGIN = 0.4
HEIGHT = 160  # height of a face on the desk's page, in pixels


class Crop(NamedTuple):
    """A section of a page in pixels of the page image, and its size on the desk's page (width,
    height).
    """

    page: Page
    x: int
    y: int
    width: int
    height: int
    size: tuple[int, int]


def faces(data: JsonObject, _: JsonObject) -> Faces:
    pictures = []
    for index, item in enumerate(items(data.get("pictures"))[:MAX_FACES]):
        members = obj(item)
        if not members:
            continue
        face = Face(
            ref=f"face-{index}",
            boxes=boxes(members.get("boxes")),
            label=text(members.get("label"), 100) or "Picture",
            reference=obj(members.get("document")),
        )
        pictures.append(face)
    return Faces(tuple(pictures))


def crop(page: Page, face: Face) -> Crop:
    """The section of a page that holds all boxes of a face on that page, with a margin."""
    left = 1.0
    top = 1.0
    right = 0.0
    bottom = 0.0
    for box in face.boxes:
        if box.page != page.number:
            continue
        left = min(left, box.x0)
        top = min(top, box.y0)
        right = max(right, box.x1)
        bottom = max(bottom, box.y1)
    x, x_end = _with_margin(left, right, page.width)
    y, y_end = _with_margin(top, bottom, page.height)
    # A box may have no area. The section must have one, and its height is a divisor below.
    width = max(1, x_end - x)
    height = max(1, y_end - y)
    shown_width = max(1, HEIGHT * width // height)
    return Crop(
        page=page,
        x=x,
        y=y,
        width=width,
        height=height,
        size=(shown_width, HEIGHT),
    )


def _with_margin(start: float, end: float, size: int) -> tuple[int, int]:
    """Converts fractions of the page to pixels, adds a margin on both sides, and clips to the
    page.
    """
    begin = start * size
    finish = end * size
    margin = (end - start) * MARGIN * size
    first = round(begin - margin)
    last = round(finish + margin)
    return max(0, first), min(size, last)
