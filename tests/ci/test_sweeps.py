"""Which tests of a sweep a change runs."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from tests.conftest import part_of_sweeps


class Item:
    def __init__(self, name: str, mark: pytest.MarkDecorator | None = None) -> None:
        self.nodeid = name
        self.mark = mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark.mark if self.mark else None


def values(function: str, mark: pytest.MarkDecorator | None) -> list[Any]:
    return [Item(f"{function}[{number}]", mark) for number in range(7)]


def parts_of(items: list[Any]) -> list[list[str]]:
    return [
        [item.nodeid for item in part_of_sweeps(items, part, 3)] for part in (1, 2, 3)
    ]


def test_the_parts_of_a_sweep_are_all_of_it_and_share_nothing():
    items = values("tests/a.py::test", pytest.mark.sweep)
    parts = parts_of(items)
    assert sorted(chain(*parts)) == [item.nodeid for item in items]
    assert sorted(map(len, parts)) == [2, 2, 3]


def test_a_sweep_without_parameters_is_in_one_part():
    parts = parts_of([Item("tests/a.py::test", pytest.mark.sweep)])
    assert sorted(map(len, parts)) == [0, 0, 1]


@pytest.mark.parametrize("mark", [pytest.mark.sweep(whole=True), None])
def test_what_is_not_divided_is_in_each_part(mark):
    items = values("tests/a.py::test", mark)
    names = [item.nodeid for item in items]
    assert parts_of(items) == [names] * 3
