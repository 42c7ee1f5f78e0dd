"""No module imports itself by way of others: the contracts order rooms, this holds within them."""

from __future__ import annotations

import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]


def cycle_in(imports: dict[str, set[str]]) -> list[str]:
    """The modules of a cycle, in the order in which one imports the other; empty: there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as exc:
        return list(reversed(exc.args[1]))
    return []


def test_a_cycle_is_found():
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not cycle_in({"a": {"b", "c"}, "b": {"c"}})


def test_no_module_imports_itself_by_way_of_others():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = settings["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*packages, cache_dir=None)
    imports = {}
    for module in graph.modules:
        imports[module] = graph.find_modules_directly_imported_by(module)
    assert len(imports) > 1000
    assert cycle_in(imports) == []
