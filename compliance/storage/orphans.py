"""Removes files of the document store that no row names: a crash or a rollback may leave them.

A file stays if any row of any model names it in a FileField. Only files older than AGE are removed:
a file that is being written, or whose row is not committed yet, is younger. Folders that no model of
this process writes to are not searched: the other side of an installation may use them.

A store that is a folder is swept by the workers now and then; any store that lists its files by
`files()`, so a bucket too, by `manage.py remove_orphans`.
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

from compliance.storage import backend

log = logging.getLogger(__name__)

# Far more than any request or job takes to write a file and commit its row.
AGE = timedelta(days=1)
# Between two sweeps of a store by any machine.
INTERVAL = timedelta(hours=6)
# If more than this, and more than this share of all files, have no row, then probably an older
# database was restored without its files. Then nothing is removed.
MAX_ORPHANS = 1000
MAX_SHARE = 0.5
# Names in one query.
CHUNK = 500
# The name of a file, and when it was last changed: seconds since 1970.
File = tuple[str, float]
# The time of this file is the time of the last sweep.
MARK = ".swept"

_running = threading.Lock()


def start_if_due() -> None:
    """Sweep in a separate thread if no machine has done so for INTERVAL. Returns at once."""
    root = _root()
    if root is None or not root.is_dir() or not _is_due(root):
        return
    # One thread a process. It releases the lock at its end.
    if not _running.acquire(blocking=False):
        return
    threading.Thread(target=_run, name="orphans", daemon=True).start()


@dataclass
class Orphans:
    """How many files the store has in our folders, and the names of those that no row names."""

    count: int = 0
    names: list[str] = field(default_factory=list)

    @property
    def is_doubtful(self) -> bool:
        """So many have no row that rather the rows are missing."""
        number = len(self.names)
        return number > MAX_ORPHANS and number > self.count * MAX_SHARE


def find() -> Orphans:
    """Files without a row that are older than AGE.

    Raises NotImplementedError where the store does not list its files, StoredError where it cannot be
    reached.
    """
    oldest = time.time() - AGE.total_seconds()
    result = Orphans()
    for files in _in_chunks(_files()):
        result.count += len(files)
        old = [name for name, changed_at in files if changed_at < oldest]
        result.names += _without_row(old)
    return result


def remove(orphans: Orphans) -> int:
    """Remove the files that were found. Returns how many: none where most files would go."""
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
    """Remove files without a row. Returns how many. Two sweeps at the same time do no harm."""
    return remove(find())


def _run() -> None:
    try:
        root = _root()
        if root is not None:
            # First, so that no other machine begins the same sweep.
            (root / MARK).touch(mode=0o600)
        sweep()
    except (OSError, DatabaseError) as exc:
        log.warning("The document store could not be swept: %s", type(exc).__name__)
    finally:
        close_old_connections()
        _running.release()


def _root() -> Path | None:
    """The folder of the store; None where it is no folder."""
    try:
        return Path(default_storage.path(""))
    # Django's way to say that a storage, such as an object store, has no folder.
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
        # Of our storages, not of Django's.
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
    """The name of each file that a row has, by model and key."""
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
