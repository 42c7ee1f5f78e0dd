"""Reads the lock files: packages with their versions, hashes, and the packages that need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "requirements"
HEAD = re.compile(r"^([a-zA-Z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\?$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})\b")
PARENT = re.compile(r"^\s+#\s+(?:via\s+)?(\S.*)$")


@dataclass(frozen=True)
class Package:
    # The name of the lock file without its ending: base, dev, …
    set: str
    name: str
    version: str
    # The condition for its installation; "" if it is always installed.
    marker: str
    hashes: tuple[str, ...]
    # The packages that need it. "-r requirements/base.in" means that we ask for it ourselves.
    parents: tuple[str, ...]


def names_of_sets(root: Path = ROOT) -> list[str]:
    return sorted(path.stem for path in (root / FOLDER).glob("*.txt"))


def packages(root: Path = ROOT) -> list[Package]:
    """The packages of all lock files, file by file."""
    rows: list[Package] = []
    for name in names_of_sets(root):
        text = (root / FOLDER / f"{name}.txt").read_text(encoding="utf-8")
        rows += parse(name, text)
    return rows


def parse(name: str, text: str) -> Iterator[Package]:
    for block in re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE):
        lines = block.splitlines()
        if not lines or lines[0].startswith("#"):
            continue
        head = HEAD.match(lines[0])
        if head is None:
            message = f"{name}.txt: this is no locked version: {lines[0]}"
            raise ValueError(message)
        yield Package(
            set=name,
            name=head[1],
            version=head[2],
            marker=head[3] or "",
            hashes=tuple(HASH.findall(block)),
            parents=tuple(parents_of(lines)),
        )


def parents_of(lines: list[str]) -> Iterator[str]:
    for line in lines:
        match = PARENT.match(line)
        if match and match[1] != "via":
            yield match[1]
