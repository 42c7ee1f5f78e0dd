"""No module and no package imports itself by way of others: the contracts order rooms, this holds within."""

from __future__ import annotations

import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

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


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """Each module with those that it imports."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = settings["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*packages, cache_dir=None)
    return {
        module: graph.find_modules_directly_imported_by(module)
        for module in graph.modules
    }


def between_children(imports: dict[str, set[str]], package: str) -> dict[str, set[str]]:
    """The imports between the modules and packages directly within `package`, each taken as a whole."""
    within = f"{package}."
    children: dict[str, set[str]] = {}
    for module, others in imports.items():
        if not module.startswith(within):
            continue
        child = module.removeprefix(within).split(".")[0]
        mine = children.setdefault(child, set())
        for other in others:
            if other.startswith(within):
                mine.add(other.removeprefix(within).split(".")[0])
        mine.discard(child)
    return children


def test_no_module_imports_itself_by_way_of_others(imports):
    assert len(imports) > 1000
    assert cycle_in(imports) == []


def test_no_package_imports_itself_by_way_of_its_neighbours(imports):
    packages = {module.rpartition(".")[0] for module in imports} - {""}
    assert len(packages) > 100
    cycles = {}
    for package in packages:
        cycle = cycle_in(between_children(imports, package))
        if cycle:
            cycles[package] = cycle
    assert cycles == {}
