"""Which tests a change runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from tests.conftest import of_second_database, part_of, takes_long


class Item:
    def __init__(self, name: str, mark: pytest.MarkDecorator | None = None) -> None:
        self.nodeid = name
        self.mark = mark

    @property
    def keywords(self) -> set[str]:
        return {self.mark.name} if self.mark else set()

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark.mark if self.mark and self.mark.name == name else None


def values(function: str, mark: pytest.MarkDecorator | None) -> list[Any]:
    return [Item(f"{function}[{number}]", mark) for number in range(7)]


def parts_of(
    items: list[Any], divides: Callable[[Any], bool] = takes_long
) -> list[list[str]]:
    return [
        [item.nodeid for item in part_of(items, part, 3, divides)] for part in (1, 2, 3)
    ]


def test_the_parts_of_a_sweep_are_all_of_it_and_share_nothing():
    items = values("tests/a.py::test", pytest.mark.sweep)
    parts = parts_of(items)
    assert sorted(chain(*parts)) == [item.nodeid for item in items]
    assert sorted(map(len, parts)) == [2, 2, 3]


@pytest.mark.parametrize("mark", [pytest.mark.sweep, pytest.mark.processes])
def test_what_takes_long_without_parameters_is_in_one_part(mark):
    parts = parts_of([Item("tests/a.py::test", mark)])
    assert sorted(map(len, parts)) == [0, 0, 1]


def test_of_a_second_database_all_is_divided_but_what_needs_all_values():
    parts = parts_of([Item("tests/a.py::test")], of_second_database)
    assert sorted(map(len, parts)) == [0, 0, 1]
    always = [Item("tests/a.py::test", pytest.mark.all_values)]
    assert parts_of(always, of_second_database) == [["tests/a.py::test"]] * 3


@pytest.mark.parametrize("mark", [pytest.mark.sweep(whole=True), None])
def test_what_is_not_divided_is_in_each_part(mark):
    items = values("tests/a.py::test", mark)
    names = [item.nodeid for item in items]
    assert parts_of(items) == [names] * 3
