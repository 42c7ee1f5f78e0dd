"""The working folder in VAR for creating and restoring backups. One command uses it at a time."""

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
    """An empty private folder, removed at the end. Raises BackupError if it is in use.

    Remains of a killed command are removed first.
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
    """While this context lasts, no embedded worker can run.

    Raises BackupError if one is running.
    """
    with (Path(settings.VAR_DIR) / "worker.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "The installation is running: stop it before a restore."
            raise BackupError(message) from None
        yield
