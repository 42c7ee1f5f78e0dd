"""Files of the document store that no row owns: what a crash, a full disk or a rollback left.

A file is owned by any row of any model with a FileField that names it. Only what is older than AGE
goes: a file that is being written, or whose row is not committed yet, is younger. Folders that no
model of this process writes into are left alone: the other side of an installation may own them.
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

# No request and no job takes as long to write a file and commit its row.
AGE = timedelta(days=1)
# Between two sweeps of a store, whichever machine sweeps it.
INTERVAL = timedelta(hours=6)
# A store that seems to be full of them was put back without its database: then nothing goes.
MOST, MOST_SHARE = 1000, 0.5
CHUNK = 500
# Its time is that of the last sweep.
MARK = ".swept"

_running = threading.Lock()


def start_if_due() -> None:
    """Sweep in a thread of its own, where nobody has for INTERVAL. Returns at once."""
    root = _root()
    if (
        root is None
        or not root.is_dir()
        or not _is_due(root)
        or not _running.acquire(blocking=False)
    ):
        return
    threading.Thread(target=_run, name="orphans", daemon=True).start()


def sweep() -> int:
    """Remove what nobody owns. Returns how many files went; may run twice at once."""
    root = _root()
    if root is None or not root.is_dir():
        return 0
    before = time.time() - AGE.total_seconds()
    orphans, seen = [], 0
    for paths in _in_chunks(_files(root)):
        seen += len(paths)
        old = [path for path in paths if _changed_at(path) < before]
        orphans += _unowned(root, old)
    if len(orphans) > MOST and len(orphans) > seen * MOST_SHARE:
        log.error("Of %d files no row owns %d: none was removed", seen, len(orphans))
        return 0
    for path in orphans:
        path.unlink(missing_ok=True)
    if orphans:
        log.info("Of %d files no row owned %d: removed", seen, len(orphans))
    return len(orphans)


def _run() -> None:
    try:
        root = _root()
        if root is not None:
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
    except NotImplementedError:
        return None


def _is_due(root: Path) -> bool:
    return _changed_at(root / MARK) < time.time() - INTERVAL.total_seconds()


def _files(root: Path) -> Iterator[Path]:
    folders = {str(field.upload_to).partition("/")[0] for field in _fields()}
    for name in sorted(folders | {backend.TRIALS}):
        for folder, _, names in os.walk(root / name):
            yield from (Path(folder) / name for name in names)


def _in_chunks(paths: Iterator[Path]) -> Iterator[Sequence[Path]]:
    while chunk := list(islice(paths, CHUNK)):
        yield chunk


def _changed_at(path: Path) -> float:
    """When a file was last written or named, seconds since 1970; 0 where there is none."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return 0.0
    return max(state.st_mtime, state.st_ctime)


def _unowned(root: Path, paths: Sequence[Path]) -> list[Path]:
    names = {path.relative_to(root).as_posix(): path for path in paths}
    for field in _fields():
        rows = field.model._default_manager.filter(**{f"{field.name}__in": list(names)})
        for name in rows.values_list(field.name, flat=True):
            names.pop(name, None)
    return list(names.values())


def _fields() -> list[models.FileField]:
    every = (field for model in apps.get_models() for field in model._meta.get_fields())
    return [field for field in every if isinstance(field, models.FileField)]
