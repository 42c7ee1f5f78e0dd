"""Faces that were compared: where each is, and the part of our picture of the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from reviews.models import Page
from reviews.results.details.places import boxes
from reviews.results.kinds import Face, Faces
from reviews.results.reading import items, obj, text

KEY = "face_match"
MOST = 4
ROOM = 0.4  # of a face, about it: hair and chin belong to it
HEIGHT = 160  # pixels that a face is shown in


class Crop(NamedTuple):
    """A part of a page, in pixels of its image, and how wide it is shown."""

    page: Page
    x: int
    y: int
    width: int
    height: int
    shown: tuple[int, int]


def faces(data: Mapping[str, Any], _: Mapping[str, Any]) -> Faces:
    found = [obj(item) for item in items(data.get("pictures"))[:MOST]]
    return Faces(
        tuple(
            Face(
                ref=f"face-{index}",
                boxes=boxes(one.get("boxes")),
                label=text(one.get("label"), 100) or "Picture",
                said=obj(one.get("document")),
            )
            for index, one in enumerate(found)
            if one
        )
    )


def crop(page: Page, face: Face) -> Crop:
    """What shows all that was found on the page of the first box."""
    here = [box for box in face.boxes if box.page == page.number]
    left, right = min(box.x0 for box in here), max(box.x1 for box in here)
    top, bottom = min(box.y0 for box in here), max(box.y1 for box in here)
    across, down = (right - left) * ROOM * page.width, (bottom - top) * ROOM * page.height
    x, y = max(0, round(left * page.width - across)), max(0, round(top * page.height - down))
    width = max(1, min(page.width, round(right * page.width + across)) - x)
    height = max(1, min(page.height, round(bottom * page.height + down)) - y)
    return Crop(page, x, y, width, height, (max(1, HEIGHT * width // height), HEIGHT))
