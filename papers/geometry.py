"""Places on a page: boxes as fractions of the displayed page, and how PDF points map to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, to which a finding points.

    `page` counts from 1. The edges are fractions (0 to 1) of the page as it is displayed, with the
    origin at the top left, so they are valid at every zoom and resolution.
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

    @property
    def middle_x(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def middle_y(self) -> float:
        return (self.y0 + self.y1) / 2

    def contains_centre_of(self, other: Box) -> bool:
        if self.page != other.page:
            return False
        is_beside = self.y0 <= other.middle_y <= self.y1
        return is_beside and self.x0 <= other.middle_x <= self.x1

    def gap_across(self, other: Box) -> float:
        """The distance of the boxes from left to right. It is negative if they share columns."""
        return max(self.x0 - other.x1, other.x0 - self.x1)

    def gap_down(self, other: Box) -> float:
        """The distance of the boxes from top to bottom. It is negative if they share rows."""
        return max(self.y0 - other.y1, other.y0 - self.y1)

    def shared_rows(self, other: Box) -> float:
        """How far the boxes are side by side: the shared height per smaller height, 0 to 1."""
        lower = min(self.height, other.height)
        if self.page != other.page or lower <= 0:
            return 0.0
        return self._shared_height(other) / lower

    def overlap(self, other: Box) -> float:
        """The area that both boxes share, as a fraction of the page."""
        if self.page != other.page:
            return 0.0
        left = max(self.x0, other.x0)
        right = min(self.x1, other.x1)
        height = self._shared_height(other)
        if right <= left or height <= 0:
            return 0.0
        return (right - left) * height

    def _shared_height(self, other: Box) -> float:
        """The height that both boxes share. It is negative if one box is above the other."""
        top = max(self.y0, other.y0)
        bottom = min(self.y1, other.y1)
        return bottom - top


def enclosing(boxes: Iterable[Box]) -> Box:
    """The smallest box around these boxes, which must be on one page."""
    first, *others = boxes
    x0, y0, x1, y1 = first.x0, first.y0, first.x1, first.y1
    for box in others:
        x0 = min(x0, box.x0)
        y0 = min(y0, box.y0)
        x1 = max(x1, box.x1)
        y1 = max(y1, box.y1)
    return Box(first.page, x0, y0, x1, y1)


class Affine(NamedTuple):
    """Maps a point of PDF user space to the displayed page, including rotation, crop and scale.

    The six numbers are those of a PDF matrix: x' = ax + cy + e and y' = bx + dy + f.
    """

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        across = self.a * x + self.c * y + self.e
        down = self.b * x + self.d * y + self.f
        return across, down

    def rectangle(self, rectangle: Rectangle) -> Rectangle:
        """The place of this rectangle on the displayed page."""
        x0, y0, x1, y1 = rectangle
        corner = self.point(x0, y0)
        opposite = self.point(x1, y1)
        return _ordered(corner, opposite)

    def back(self, rectangle: Rectangle) -> Rectangle:
        """The inverse of rectangle(): a place on the displayed page, in user space."""
        x0, y0, x1, y1 = rectangle
        corner = self._point_back(x0, y0)
        opposite = self._point_back(x1, y1)
        return _ordered(corner, opposite)

    def _point_back(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of point()."""
        determinant = self.a * self.d - self.b * self.c
        if not determinant:
            # The page has no size, so any place will do. This avoids a division by zero.
            determinant = 1.0
        x -= self.e
        y -= self.f
        across = self.d * x - self.c * y
        up = self.a * y - self.b * x
        return across / determinant, up / determinant

    def box(self, page: int, rectangle: Rectangle) -> Box:
        """A rectangle of user space as a box. Parts outside the page are cut off."""
        return box_within_page(page, self.rectangle(rectangle))


def box_within_page(page: int, fractions: Rectangle) -> Box:
    """A box with these edges. Parts outside the page are cut off."""
    x0, y0, x1, y1 = map(within_page, fractions)
    # Five decimals are finer than one pixel of any page that we draw.
    return Box(page, round(x0, 5), round(y0, 5), round(x1, 5), round(y1, 5))


def within_page(edge: float) -> float:
    """The edge, limited to the page (0 to 1). Letters and pictures may reach beyond the page."""
    return min(max(edge, 0.0), 1.0)


def _ordered(
    one_corner: tuple[float, float], opposite: tuple[float, float]
) -> Rectangle:
    """The rectangle between two opposite corners, which a rotation may have swapped."""
    x0, x1 = sorted((one_corner[0], opposite[0]))
    y0, y1 = sorted((one_corner[1], opposite[1]))
    return x0, y0, x1, y1


IDENTITY = Affine(1, 0, 0, 1, 0, 0)
