"""Writes a file whole or not at all: a temporary file beside it is synced, and then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

# The start of the name of a temporary file. One that a crash left is removed (see orphans.py).
PART = ".part-"
# No room: of the disk, of the quota, or beyond the size that a file may have.
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_new(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file that is not there yet. Raises FileExistsError, or OSError: then there is none.

    After a crash, a full disk or a power cut there is the whole file or none.
    """
    part = path.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        _write(part, chunks, mode)
        # link() refuses a name that exists; rename() would replace that file.
        os.link(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    sync_folder(path.parent)


def replace(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file, or replace it. Raises OSError: then the old file is unchanged."""
    part = path.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        _write(part, chunks, mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folders(path: Path, *, mode: int = 0o777) -> None:
    """Make a folder and its parents, so that they survive a power cut."""
    if path.is_dir():
        return
    make_folders(path.parent, mode=mode)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Write the names in a folder to the disk, so that they survive a power cut."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        # Before it gets its name: else a power cut could leave an empty file of that name.
        os.fsync(file.fileno())
