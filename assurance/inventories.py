"""Writes the lists of modules into docs/inventories.md: `python -m assurance.inventories`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from assurance.rules import PACKAGES, ROOT

PAGE = "docs/inventories.md"
CRYPTOGRAPHY = frozenset({"cryptography", "hmac", "secrets"})
OUTGOING = "compliance.http.outbound"


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


# The name of a list in its comment on the page, and whether a module belongs to the list.
LISTS: dict[str, Callable[[str], bool]] = {
    "modules of cryptography": has_cryptography,
    "modules of the log": has_log,
    "modules of outgoing requests": has_outgoing,
}


def sources(root: Path) -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield (
                    path.relative_to(root).as_posix(),
                    path.read_text(encoding="utf-8"),
                )


def page(root: Path) -> str:
    """The page, with the lists as they are now."""
    text = (root / PAGE).read_text(encoding="utf-8")
    modules = list(sources(root))
    for mark, is_one in LISTS.items():
        lines = [f"- `{path}`" for path, source in modules if is_one(source)]
        block = "\n".join([f"<!-- {mark} -->", "", *lines, ""])
        places = re.findall(rf"<!-- {mark} -->\n+(?:- `.*\n)*", text)
        if len(places) != 1:
            message = f"{PAGE} has no place for: {mark}"
            raise ValueError(message)
        text = text.replace(places[0], block)
    return text


def main() -> int:
    (ROOT / PAGE).write_text(page(ROOT), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
