"""Removes files of the document store that no row names: a crash or a rollback may leave them.

A file stays if any row of any model names it in a FileField. Only files older than AGE are removed:
a file that is being written, or whose row is not committed yet, is younger. Folders that no model of
this process writes to are not searched: the other side of an installation may use them.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator, Sequence
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


def sweep() -> int:
    """Remove files without a row. Returns how many. Two sweeps at the same time do no harm."""
    root = _root()
    if root is None or not root.is_dir():
        return 0
    oldest = time.time() - AGE.total_seconds()
    orphans = []
    count = 0
    for paths in _in_chunks(_files(root)):
        count += len(paths)
        old = [path for path in paths if _changed_at(path) < oldest]
        orphans += _without_row(root, old)
    if len(orphans) > MAX_ORPHANS and len(orphans) > count * MAX_SHARE:
        log.error("Of %d files no row owns %d: none was removed", count, len(orphans))
        return 0
    for path in orphans:
        path.unlink(missing_ok=True)
    if orphans:
        log.info("Of %d files no row owned %d: removed", count, len(orphans))
    return len(orphans)


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
    return _changed_at(root / MARK) < time.time() - INTERVAL.total_seconds()


def _files(root: Path) -> Iterator[Path]:
    folders = {str(field.upload_to).partition("/")[0] for field in _fields()}
    for name in sorted(folders | {backend.TRIALS}):
        for folder, _, names in os.walk(root / name):
            for file_name in names:
                yield Path(folder) / file_name


def _in_chunks(paths: Iterator[Path]) -> Iterator[Sequence[Path]]:
    while chunk := list(islice(paths, CHUNK)):
        yield chunk


def _changed_at(path: Path) -> float:
    """When a file was last written or renamed, seconds since 1970; 0 where there is none."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return 0.0
    return max(state.st_mtime, state.st_ctime)


def _without_row(root: Path, paths: Sequence[Path]) -> list[Path]:
    names = {path.relative_to(root).as_posix(): path for path in paths}
    for field in _fields():
        rows = field.model._default_manager.filter(**{f"{field.name}__in": list(names)})
        for name in rows.values_list(field.name, flat=True):
            names.pop(name, None)
    return list(names.values())


def names_of_rows() -> Iterator[str]:
    """The name of each file that a row has, by model and key."""
    for field in _fields():
        rows = field.model._default_manager.exclude(**{field.name: ""})
        names = rows.order_by("pk").values_list(field.name, flat=True)
        yield from names.iterator(chunk_size=CHUNK)


def _fields() -> list[models.FileField]:
    fields = []
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, models.FileField):
                fields.append(field)
    return fields
