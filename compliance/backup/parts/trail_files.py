"""Backup files outside of the database: the anchors of the audit trail, the keys that verify them,
and the list of erased data keys. Private keys are not backed up."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from compliance.backup.archive import ERASED_KEYS, TRAIL, ArchiveWriter, Part
from compliance.storage import atomic_files, erased_keys

ANCHORS = TRAIL + "anchors.jsonl"
KEYS = TRAIL + "keys/"
# Public keys, and the keys of earlier lines, which are encrypted with ENCRYPTION_KEY.
IN_ARCHIVE = ("*.pub", "*.json")


@contextlib.contextmanager
def no_new_anchor() -> Iterator[int]:
    """In this context no anchor is written, so the anchors are no newer than the database.

    Yields the size of the file of anchors in bytes.
    """
    if not settings.DESK_ENABLED:
        yield 0
        return
    path = Path(settings.AUDIT_ANCHORS)
    atomic_files.make_folders(path.parent, mode=0o700)
    # Create it if it does not exist: the first anchor might be written at this moment.
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file.seek(0, io.SEEK_END)


def add(archive: ArchiveWriter, *, anchors_size: int) -> None:
    """Add the files. `anchors_size`: how many bytes of the anchors belong to the snapshot."""
    if anchors_size:
        with Path(settings.AUDIT_ANCHORS).open("rb") as file:
            archive.add(ANCHORS, file, anchors_size)
    folder = Path(settings.AUDIT_KEYS_DIR)
    for pattern in IN_ARCHIVE:
        for path in sorted(folder.glob(pattern)):
            _add_small(archive, KEYS + path.name, path)
    if settings.ERASED_KEYS.exists():
        _add_small(archive, ERASED_KEYS, settings.ERASED_KEYS)


def _add_small(archive: ArchiveWriter, name: str, path: Path) -> None:
    content = path.read_bytes()
    archive.add(name, io.BytesIO(content), len(content))


def write(part: Part, *, anchors: Path, keys_folder: Path) -> None:
    """Write a file unless it exists: the anchors here may know of lines after the backup."""
    path = anchors
    if part.name.startswith(KEYS):
        path = keys_folder / Path(part.name).name
    if path.exists() and path.stat().st_size:
        return
    atomic_files.make_folders(path.parent, mode=0o700)
    atomic_files.replace(path, part.chunks())


def merge_erased(part: Part) -> None:
    """Add the ids of the archive to the list of erased keys here."""
    lines = b"".join(part.chunks()).decode("ascii").split()
    erased_keys.add(int(line) for line in lines if line.isdigit())
