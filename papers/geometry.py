"""Places on a page: boxes in fractions of the displayed page, and how PDF coordinates get there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page that a finding points at.

    `page` counts from 1; the edges are fractions (0 to 1) of the page as it is displayed, with
    the origin at the top left, so that they hold at every zoom and resolution.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        return max(self.width, 0.0) * max(self.height, 0.0)

    def contains_centre_of(self, other: Box) -> bool:
        x, y = (other.x0 + other.x1) / 2, (other.y0 + other.y1) / 2
        return self.page == other.page and self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def shared_rows(self, other: Box) -> float:
        """How much of the lower of the two boxes lies beside the other, 0 to 1."""
        shared = min(self.y1, other.y1) - max(self.y0, other.y0)
        lower = min(self.height, other.height)
        return shared / lower if self.page == other.page and lower > 0 else 0.0

    def overlap(self, other: Box) -> float:
        """The area that both share, as a fraction of the page."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if self.page == other.page and width > 0 and height > 0 else 0.0


def enclosing(boxes: Iterable[Box]) -> Box:
    """The smallest box around boxes of one page."""
    every = list(boxes)
    return Box(
        every[0].page,
        min(box.x0 for box in every),
        min(box.y0 for box in every),
        max(box.x1 for box in every),
        max(box.y1 for box in every),
    )


class Affine(NamedTuple):
    """Takes a point of PDF user space to the displayed page: rotation, crop and scale in one."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def rectangle(self, rectangle: Rectangle) -> Rectangle:
        x0, y0 = self.point(rectangle[0], rectangle[1])
        x1, y1 = self.point(rectangle[2], rectangle[3])
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def back(self, rectangle: Rectangle) -> Rectangle:
        """The rectangle of user space that stands at this place of the displayed page."""
        turning = (self.a * self.d - self.b * self.c) or 1.0
        points = [
            (
                (self.d * (x - self.e) - self.c * (y - self.f)) / turning,
                (self.a * (y - self.f) - self.b * (x - self.e)) / turning,
            )
            for x, y in (rectangle[:2], rectangle[2:])
        ]
        (x0, y0), (x1, y1) = points
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def box(self, page: int, rectangle: Rectangle) -> Box:
        return Box(page, *(round(min(max(v, 0.0), 1.0), 5) for v in self.rectangle(rectangle)))


IDENTITY = Affine(1, 0, 0, 1, 0, 0)
