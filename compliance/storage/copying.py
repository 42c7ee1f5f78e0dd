"""Copies the files of the document store from one storage to another, as they are: encrypted.

Each file of a row is copied under its name, read back, and compared. What is there already with the
same bytes is left, so a copy that was interrupted goes on where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from compliance.storage import orphans

CHUNK = 1 << 20


class CopyError(Exception):
    """A file was not copied as it is. The text names it."""


@dataclass
class Counts:
    """How many files were copied, were there already, and are missing in the source."""

    copied: int = 0
    present: int = 0
    missing: list[str] = field(default_factory=list)


def copy(source: Storage, target: Storage, counts: Counts) -> Iterator[str]:
    """Copy all files that rows name, and count them; gives each name. Raises CopyError, StoredError."""
    for name in orphans.names_of_rows():
        _copy(source, target, name, counts)
        yield name


def remove(source: Storage, target: Storage) -> Iterator[str]:
    """Remove from the source what the target has with the same bytes; gives the names."""
    for name in orphans.names_of_rows():
        digest = _digest(source, name)
        if digest and digest == _digest(target, name):
            source.delete(name)
            yield name


def _copy(source: Storage, target: Storage, name: str, counts: Counts) -> None:
    digest = _digest(source, name)
    there = _digest(target, name)
    if not digest:
        # A file that only the target has was stored after the change.
        if not there:
            counts.missing.append(name)
        return
    if there == digest:
        counts.present += 1
        return
    if there:
        raise CopyError(f"{name} has other content in the target.")
    with source.open(name) as file:
        content = ContentFile(file.read(), name)
    saved = target.save(name, content)
    if saved != name or _digest(target, name) != digest:
        raise CopyError(f"{name} was not stored as it is.")
    counts.copied += 1


def _digest(storage: Storage, name: str) -> str:
    """The SHA-256 of the stored bytes; "" where the file is not there."""
    digest = hashlib.sha256()
    try:
        with storage.open(name) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()
