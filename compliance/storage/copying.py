"""Copies the files of the document store to another storage, unchanged and still encrypted.

Each file of a row is copied under its name, read back, and compared. A file that already exists
with the same bytes is skipped, so an interrupted copy can be repeated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.utils.crypto import get_random_string

from compliance.storage import orphans
from compliance.storage.backend import TRIALS

CHUNK = 1 << 20


class CopyError(Exception):
    """A file was not copied correctly; the message names it."""


@dataclass
class Counts:
    """The number of copied and of existing files, and the names missing in the source."""

    copied: int = 0
    present: int = 0
    missing: list[str] = field(default_factory=list)


def copy(source: Storage, target: Storage, counts: Counts) -> Iterator[str]:
    """Copy all files of rows and count them. Yields each name. Raises CopyError and StoredError."""
    for name in orphans.names_of_rows():
        _copy(source, target, name, counts)
        yield name


def remove(source: Storage, target: Storage) -> Iterator[str]:
    """Delete from the source what the target holds with the same bytes. Yields the names."""
    for name in orphans.names_of_rows():
        digest = _digest(source, name)
        if digest and digest == _digest(target, name):
            source.delete(name)
            yield name


def is_same(one: Storage, other: Storage) -> bool:
    """Whether both are one place: whether a file that is written into one is in the other."""
    trial = ContentFile(b"trial")
    name = one.save(f"{TRIALS}/{get_random_string(16)}", trial)
    try:
        return bool(_digest(other, name))
    finally:
        one.delete(name)


def _copy(source: Storage, target: Storage, name: str, counts: Counts) -> None:
    digest = _digest(source, name)
    target_digest = _digest(target, name)
    if not digest:
        # The file was stored after the setting was changed, so only the target has it.
        if not target_digest:
            counts.missing.append(name)
        return
    if target_digest == digest:
        counts.present += 1
        return
    if target_digest:
        raise CopyError(f"{name} has other content in the target.")
    with source.open(name) as file:
        content = ContentFile(file.read(), name)
    saved = target.save(name, content)
    if saved != name or _digest(target, name) != digest:
        raise CopyError(f"{name} was not stored as it is.")
    counts.copied += 1


def _digest(storage: Storage, name: str) -> str:
    """The SHA-256 of the stored bytes; empty if the file does not exist."""
    digest = hashlib.sha256()
    try:
        with storage.open(name) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()
