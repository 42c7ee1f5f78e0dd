"""Folders of files that are made once, for each version of what they are made from."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path


def fingerprint(sources: Iterable[str], packages: Iterable[str]) -> str:
    """Another one for each change of the code that makes the files, and of installed packages.

    `sources` are the files of that code.
    """
    code = [Path(source).read_text(encoding="utf-8") for source in sources]
    versions = [f"{name} {version(name)}" for name in packages]
    return hashlib.sha256("\n".join([*code, *versions]).encode()).hexdigest()[:16]


def folder(parent: Path, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in `parent`, filled by `make` if it is not there yet."""
    target = parent / name
    if target.exists():
        return target
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        fresh = Path(scratch) / "files"
        fresh.mkdir()
        make(fresh)
        try:
            fresh.rename(target)
        except OSError:
            # Another process was faster: then its files are the ones.
            if not target.exists():
                raise
    return target
