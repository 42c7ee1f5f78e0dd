from __future__ import annotations

import pytest

from papers.geometry import Affine, Box, enclosing

# A page of 200 by 100 points, displayed as it is, and turned by 90 degrees.
UPRIGHT = Affine(1 / 200, 0, 0, -1 / 100, 0, 1)
TURNED = Affine(0, 1 / 200, 1 / 100, 0, 0, 0)


def test_a_rectangle_of_points_becomes_a_box_with_its_origin_at_the_top_left():
    assert UPRIGHT.box(1, (20, 10, 100, 30)) == Box(1, 0.1, 0.7, 0.5, 0.9)
    assert TURNED.box(1, (20, 10, 100, 30)) == Box(1, 0.1, 0.1, 0.3, 0.5)


def test_a_box_ends_where_the_page_ends():
    assert UPRIGHT.box(2, (-50, -50, 500, 500)) == Box(2, 0.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize("transform", [UPRIGHT, TURNED])
def test_there_and_back(transform):
    rectangle = (20.0, 10.0, 100.0, 30.0)
    assert transform.back(transform.rectangle(rectangle)) == pytest.approx(rectangle)


def test_the_smallest_box_around_others():
    boxes = [Box(1, 0.1, 0.2, 0.3, 0.4), Box(1, 0.2, 0.1, 0.5, 0.3)]
    assert enclosing(boxes) == Box(1, 0.1, 0.1, 0.5, 0.4)
