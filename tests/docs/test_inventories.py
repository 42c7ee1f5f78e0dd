"""The lists of docs/inventories.md are those of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

import pytest

from assurance.rules import PACKAGES
from tests.docs.pages import ROOT, read

CRYPTOGRAPHY = {"cryptography", "hmac", "secrets"}
OUTGOING = "compliance.http.outbound"


def sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text()


def imports(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def has_cryptography(source: str) -> bool:
    return bool({name.partition(".")[0] for name in imports(source)} & CRYPTOGRAPHY)


def has_log(source: str) -> bool:
    return "getLogger(__name__)" in source


def has_outgoing(source: str) -> bool:
    return OUTGOING in imports(source)


@pytest.mark.parametrize(
    ("mark", "is_one"),
    [
        ("modules of cryptography", has_cryptography),
        ("modules of the log", has_log),
        ("modules of outgoing requests", has_outgoing),
    ],
)
def test_every_module_is_listed_and_no_other(mark: str, is_one: Callable[[str], bool]):
    section = read("docs/inventories.md").partition(f"<!-- {mark} -->")[2]
    listed = re.findall(r"^- `([\w/.]+)`", section.partition("\n## ")[0], re.MULTILINE)
    found = [path for path, source in sources() if is_one(source)]
    assert sorted(listed) == sorted(found)


def test_every_setting_that_the_page_names_exists():
    known = read("docs/settings.md") + read("deploy/acme.yml")
    named = re.findall(r"`([A-Z][A-Z_]{3,})`", read("docs/inventories.md"))
    missing = {name for name in named if f"{name}" not in known}
    assert {
        name for name in missing if name not in read("compliance/settings.py")
    } == set()
