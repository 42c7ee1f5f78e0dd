"""Which tests a change runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import (
    ALWAYS,
    dealt_out,
    of_second_database,
    part_of,
    takes_long,
)


class Item:
    def __init__(self, name: str, mark: pytest.MarkDecorator | None = None) -> None:
        self.nodeid = name
        self.path = Path(name.partition("::")[0])
        self.mark = mark

    @property
    def keywords(self) -> set[str]:
        return {self.mark.name} if self.mark else set()

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark.mark if self.mark and self.mark.name == name else None


def values(function: str, mark: pytest.MarkDecorator | None) -> list[Any]:
    return [Item(f"{function}[{number}]", mark) for number in range(7)]


def parts_of(
    items: list[Any], divides: Callable[[Any, int], bool] = takes_long
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


@pytest.mark.parametrize(
    "mark", [pytest.mark.sweep(whole=True), pytest.mark.all_values]
)
def test_what_is_not_divided_is_in_each_part(mark):
    items = values("tests/a.py::test", mark)
    names = [item.nodeid for item in items]
    assert parts_of(items) == [names] * 3


def test_the_first_values_of_a_test_are_in_each_part_and_the_others_in_one():
    items = values("tests/a.py::test", None)
    names = [item.nodeid for item in items]
    parts = parts_of(items)
    for part in parts:
        assert part[:ALWAYS] == names[:ALWAYS]
    others = [part[ALWAYS:] for part in parts]
    assert sorted(chain(*others)) == names[ALWAYS:]


def files_in_order(items: list[Any]) -> list[str]:
    """The files as they are dealt out. One that is named twice was torn apart."""
    return [name for name, _ in groupby(item.path.name for item in dealt_out(items))]


def test_files_that_wait_are_spread_among_the_others():
    """If all test processes waited for a browser at a time, the processors would stand still."""
    waiting = [values(f"browser{n}.py::test", pytest.mark.browser) for n in range(4)]
    others = [values(f"plain{n}.py::test", None) for n in range(40)]
    names = files_in_order([*chain(*others), *chain(*waiting)])
    assert len(names) == len(set(names)) == 44
    places = [place for place, name in enumerate(names) if name.startswith("browser")]
    assert places[0] == 0
    gaps = [after - before for before, after in pairwise(places)]
    assert min(gaps) > 5
    # Nothing that takes long is among the last.
    assert places[-1] < 30


@pytest.mark.parametrize("mark", [pytest.mark.browser, pytest.mark.processes, None])
def test_the_longest_file_of_a_kind_begins(mark):
    short, long = values("short.py::test", mark), values("long.py::test", mark)
    items = [*short[:2], *long]
    assert files_in_order(items) == ["long.py", "short.py"]
    sweep = values("sweep.py::test", pytest.mark.sweep)[:1]
    if mark is None:
        assert files_in_order([*items, *sweep])[0] == "sweep.py"
