"""Folders of generated files, generated once for each version of their sources."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path


def fingerprint(sources: Iterable[str], packages: Iterable[str]) -> str:
    """A text that changes when the code that makes the files or an installed package changes.

    `sources` are the paths of that code; `packages` are the names of those packages.
    """
    parts = []
    for source in sources:
        parts.append(Path(source).read_text(encoding="utf-8"))
    for name in packages:
        parts.append(f"{name} {version(name)}")
    digest = hashlib.sha256("\n".join(parts).encode())
    return digest.hexdigest()[:16]


def folder(parent: Path, name: str, make: Callable[[Path], None]) -> Path:
    """The folder with this name in `parent`. If it does not exist, `make` fills a new one."""
    target = parent / name
    if target.exists():
        return target
    parent.mkdir(parents=True, exist_ok=True)
    # The files are made in another folder, which is then renamed: no process sees a half-full
    # folder.
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        fresh = Path(scratch) / "files"
        fresh.mkdir()
        make(fresh)
        try:
            fresh.rename(target)
        except OSError:
            # Another process made the folder first. Its files are the same.
            if not target.exists():
                raise
    return target
