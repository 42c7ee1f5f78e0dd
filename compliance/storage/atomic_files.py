"""Atomic writing: a temporary file in the same folder is synced to disk, and then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

# The prefix of temporary files. One that a crash left behind is removed later (orphans.py).
PART = ".part-"
# Errors for: the disk is full, the quota is exceeded, the file exceeds the size limit.
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def write_new(
    path: Path,
    chunks: Iterable[bytes],
    *,
    mode: int = 0o600,
    may_be_empty: bool = False,
) -> None:
    """Write a new file. Raises FileExistsError if it exists, or OSError; then no file is left.

    After a crash, a full disk or a power cut, either the whole file exists or none.
    `may_be_empty`: nobody knows the name before this returns. So on a volume without hard links,
    where a new file is empty for a moment, it is written all the same.
    """
    part = path.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        _write(part, chunks, mode)
        try:
            # link() fails if the name exists; rename() would replace the existing file.
            os.link(part, path)
        except FileExistsError:
            raise
        except OSError:
            # Volumes without hard links, such as those shared by SMB, say so with many errors.
            if not may_be_empty:
                raise
            _name_without_link(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    sync_folder(path.parent)


def replace(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write or replace a file. Raises OSError; then the old file is unchanged."""
    part = path.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        _write(part, chunks, mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folders(path: Path, *, mode: int = 0o777) -> None:
    """Create a folder and its parents so that they survive a power cut."""
    if path.is_dir():
        return
    make_folders(path.parent, mode=mode)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Sync a folder's entries to disk, so that new names survive a power cut."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _name_without_link(part: Path, path: Path) -> None:
    """Take the name with an empty file, which fails if the name exists, and replace that file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        part.replace(path)
    except BaseException:
        path.unlink()
        raise


def _write(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        # Sync before the file gets its name: otherwise a power cut could leave an empty file.
        os.fsync(file.fileno())
