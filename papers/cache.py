"""Folders of generated files, made once for each version of their sources."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path


def fingerprint(sources: Iterable[str], packages: Iterable[str]) -> str:
    """A text that changes with the code that makes the files, and with the installed packages.

    `sources` are the paths of that code.
    """
    parts = []
    for source in sources:
        parts.append(Path(source).read_text(encoding="utf-8"))
    for name in packages:
        parts.append(f"{name} {version(name)}")
    digest = hashlib.sha256("\n".join(parts).encode())
    return digest.hexdigest()[:16]


def folder(parent: Path, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in `parent`, filled by `make` if it is not there yet."""
    target = parent / name
    if target.exists():
        return target
    parent.mkdir(parents=True, exist_ok=True)
    # Made elsewhere and then renamed: nobody sees a folder that is half full.
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        fresh = Path(scratch) / "files"
        fresh.mkdir()
        make(fresh)
        try:
            fresh.rename(target)
        except OSError:
            # Another process was faster: its files are the same.
            if not target.exists():
                raise
    return target
