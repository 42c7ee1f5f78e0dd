"""Removes orphans: files of the store without a row, left behind by a crash or a rollback.

A file stays if any row of any model refers to it in a FileField. Only files older than AGE are
removed: a file that is being written, or whose row is not committed yet, is younger. Folders to
which no model of this process writes are not searched: the other side of an installation may use
them.

Workers regularly sweep a store that is a folder. `manage.py remove_orphans` handles any storage
that can list its `files()`, for example a bucket.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from pathlib import Path

from django.apps import apps
from django.core.files.storage import default_storage
from django.db import DatabaseError, close_old_connections, models

from compliance.db import clock
from compliance.storage import backend

log = logging.getLogger(__name__)

# Much longer than any request or job takes from writing a file to committing its row.
AGE = timedelta(days=1)
# The interval between two sweeps of a store, by whatever machine.
INTERVAL = timedelta(hours=6)
# If more files than this, and more than this share, have no row, then probably an older database
# was restored without its files. In that case nothing is removed.
MAX_ORPHANS = 1000
MAX_SHARE = 0.5
# Names per query.
CHUNK = 500
# (name, time of the last change in seconds since 1970).
File = tuple[str, float]
# A marker file: its modification time is the time of the last sweep.
MARK = ".swept"
# A process asks the store at most this often when it was swept.
LOOK_SECONDS = 600.0

_running = threading.Lock()
_looked_at = -LOOK_SECONDS  # in seconds of the steady clock


def start_if_due() -> None:
    """Sweep in a separate thread if no machine has done so for INTERVAL.

    Returns at once, also while the store does not answer: only the thread asks the store.
    """
    global _looked_at
    moment = clock.steady()
    if moment - _looked_at < LOOK_SECONDS:
        return
    # At most one thread per process. It releases the lock when it ends.
    if not _running.acquire(blocking=False):
        return
    _looked_at = moment
    try:
        threading.Thread(target=_run, name="orphans", daemon=True).start()
    except RuntimeError:  # the system has no room for a further thread
        _running.release()


@dataclass
class Orphans:
    """The number of files in our folders, and the names of those without a row."""

    count: int = 0
    names: list[str] = field(default_factory=list)

    @property
    def is_doubtful(self) -> bool:
        """Whether the files without a row are so many that rows are more likely missing."""
        number = len(self.names)
        return number > MAX_ORPHANS and number > self.count * MAX_SHARE


def find() -> Orphans:
    """Files without a row that are older than AGE.

    Raises NotImplementedError if the storage cannot list its files, StoredError if it is
    unavailable.
    """
    oldest = time.time() - AGE.total_seconds()
    result = Orphans()
    for files in _in_chunks(_files()):
        result.count += len(files)
        old = [name for name, changed_at in files if changed_at < oldest]
        result.names += _without_row(old)
    return result


def remove(orphans: Orphans) -> int:
    """Delete these files. Returns their number; 0 if the result is doubtful."""
    number = len(orphans.names)
    if orphans.is_doubtful:
        log.error("Of %d files no row owns %d: none was removed", orphans.count, number)
        return 0
    for name in orphans.names:
        default_storage.delete(name)
    if number:
        log.info("Of %d files no row owned %d: removed", orphans.count, number)
    return number


def sweep() -> int:
    """Delete files without a row. Returns their number. Two simultaneous sweeps do no harm."""
    return remove(find())


def _run() -> None:
    try:
        root = _root()
        if root is None or not root.is_dir() or not _is_due(root):
            return
        # Touch the marker first, so that no other machine starts the same sweep.
        (root / MARK).touch(mode=0o600)
        sweep()
    except (OSError, DatabaseError) as exc:
        log.warning("The document store could not be swept: %s", type(exc).__name__)
    finally:
        close_old_connections()
        _running.release()


def _root() -> Path | None:
    """The folder of the store; None if the store is no folder."""
    try:
        return Path(default_storage.path(""))
    # Raised by Django for storages without local paths, such as object stores.
    except NotImplementedError:
        return None


def _is_due(root: Path) -> bool:
    try:
        swept_at = (root / MARK).stat().st_mtime
    except FileNotFoundError:
        return True
    return swept_at < time.time() - INTERVAL.total_seconds()


def _files() -> Iterator[File]:
    folders = {str(column.upload_to).partition("/")[0] for column in _columns()}
    for folder in sorted(folders | {backend.TRIALS}):
        # Only our storages have this method.
        yield from default_storage.files(folder)  # type: ignore[attr-defined]


def _in_chunks(files: Iterator[File]) -> Iterator[Sequence[File]]:
    while chunk := list(islice(files, CHUNK)):
        yield chunk


def _without_row(names: Iterable[str]) -> list[str]:
    left = dict.fromkeys(names)
    for column in _columns():
        rows = column.model._default_manager.filter(**{f"{column.name}__in": [*left]})
        for name in rows.values_list(column.name, flat=True):
            left.pop(name, None)
    return list(left)


def names_of_rows() -> Iterator[str]:
    """The names of all files of rows, by model and primary key."""
    for column in _columns():
        rows = column.model._default_manager.exclude(**{column.name: ""})
        names = rows.order_by("pk").values_list(column.name, flat=True)
        yield from names.iterator(chunk_size=CHUNK)


def _columns() -> list[models.FileField]:
    columns = []
    for model in apps.get_models():
        for column in model._meta.get_fields():
            if isinstance(column, models.FileField):
                columns.append(column)
    return columns
