"""Reads, writes and deletes several files side by side.

A slow store answers each question after seconds. One after the other, the files of a case took longer
than a proxy waits. The threads here ask the store alone, never the database.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

from django.core.files.base import File
from django.core.files.storage import Storage

from compliance.storage import stored_files

T = TypeVar("T")
# Files of one request. Each may be held in memory, of up to MAX_DOCUMENT_BYTES.
FILES_AT_A_TIME = 6


def save(storage: Storage, files: Sequence[tuple[str, File[bytes]]]) -> list[str]:
    """Write new files: all, or none. Returns their names in the store, in the same order.

    `files`: pairs of the wanted name and the content, as the storage keeps it. Raises the first
    error of the storage.
    """
    # Storage.save() would look for a free name first. The names of callers are random.
    calls = [partial(_save, storage, name, content) for name, content in files]
    futures = _run(calls)
    names = []
    errors = []
    for future in futures:
        if future.cancelled():
            continue
        error = future.exception()
        if error is None:
            names.append(future.result())
        else:
            errors.append(error)
    if errors:
        delete(storage, names)
        raise errors[0]
    return names


def delete(storage: Storage, names: Iterable[str]) -> None:
    """Delete files that no row names. One that stays is removed later (orphans.py)."""
    _run([partial(_delete, storage, name) for name in names])


def load(storage: Storage, names: Iterable[str]) -> list[File[bytes] | Exception]:
    """For each name the open file, as the storage keeps it, or the error that it raised."""
    calls = [partial(_open, storage, name) for name in names]
    return [future.result() for future in _run(calls)]


def _run(calls: Iterable[Callable[[], T]]) -> list[Future[T]]:
    """Call all, and wait for them. After an error no further call is begun."""
    with ThreadPoolExecutor(FILES_AT_A_TIME) as pool:
        futures = [pool.submit(call) for call in calls]
        if wait(futures, return_when=FIRST_EXCEPTION).not_done:
            pool.shutdown(cancel_futures=True)
    return futures


def _save(storage: Storage, name: str, content: File[bytes]) -> str:
    saved: str = storage._save(name, content)  # type: ignore[attr-defined]
    return saved


def _open(storage: Storage, name: str) -> File[bytes] | Exception:
    try:
        return storage.open(name, "rb")
    except (OSError, stored_files.StoredError) as exc:
        return exc


def _delete(storage: Storage, name: str) -> None:
    with contextlib.suppress(OSError, stored_files.StoredError):
        storage.delete(name)
