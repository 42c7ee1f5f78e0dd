"""The folder in VAR where a backup is put together or taken apart. One command has it at a time."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from compliance.backup.errors import BackupError


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """An empty folder that only this user can read. It is removed at the end. Raises BackupError.

    What a killed command has left is removed first.
    """
    var = Path(settings.VAR_DIR)
    with (var / "backup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "Another backup or restore is running on this VAR."
            raise BackupError(message) from None
        folder = var / "backup-work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def no_worker() -> Iterator[None]:
    """While this lasts, no embedded worker runs. Raises BackupError where one does."""
    with (Path(settings.VAR_DIR) / "worker.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "The installation is running: stop it before a restore."
            raise BackupError(message) from None
        yield
