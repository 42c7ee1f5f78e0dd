"""The document store in a folder. Files are written atomically."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db import DatabaseError
from django.utils.crypto import get_random_string

from compliance.storage import atomic_files, stored_files

# The folder for test files of fault().
TRIALS = "trials"


class WholeFileStorage(FileSystemStorage):
    """Django's folder storage with atomic writes. It reads only regular files.

    open() raises stored_files.ChangedError if a link, a pipe or a folder has replaced a file: a
    link may lead outside of the store, and reading a pipe would never end. It raises
    stored_files.NoStoreError if the whole store is empty: a disk that is not mounted. save() raises
    stored_files.FullError without space, and stored_files.NotWritableError if the folder is not
    writable.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        # The link that gives the file its name also checks whether the name is free.
        return name

    def _save(self, name: str, content: File[bytes]) -> str:
        # Each question costs a slow disk a second: the folder is usually there, and is not asked for.
        try:
            try:
                name = self._write(name, content)
            except FileNotFoundError:
                self._make_folder_of(name)
                name = self._write(name, content)
        except OSError as exc:
            if exc.errno in atomic_files.DISK_FULL:
                raise stored_files.FullError from exc
            raise stored_files.NotWritableError from exc
        # A method of Django that its type stubs lack.
        self._ensure_location_group_id(self.path(name))  # type: ignore[attr-defined]
        return name

    def _make_folder_of(self, name: str) -> None:
        mode = self.directory_permissions_mode
        if mode is None:
            mode = 0o777
        atomic_files.make_folders(Path(self.path(name)).parent, mode=mode)

    def is_empty(self) -> bool:
        """Whether the store has no folder: it is new, was removed, or is not mounted."""
        try:
            with os.scandir(self.path("")) as entries:
                return not any(entry.is_dir() for entry in entries)
        except FileNotFoundError:
            return True
        except OSError:
            # Something is there that cannot be read: reading or writing a file says why.
            return False

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        with self._missing_store():
            return File(open(self.path(name), mode, opener=_open_plain))

    def version_of(self, name: str) -> tuple[object, ...]:
        """An identifier of the file's state, which changes with the file. Raises OSError."""
        path = Path(self.path(name))
        # lstat() instead of stat(): a link that has replaced the file must count as a change.
        with self._missing_store():
            state = path.lstat()
        # Anybody can set the time of the content's last change (mtime), but nobody can set the time
        # of the inode's last change (ctime).
        times = (state.st_mtime_ns, state.st_ctime_ns)
        return (str(path), state.st_ino, state.st_size, *times)

    def files(self, folder: str) -> Iterator[tuple[str, float]]:
        """The files below a folder: (name, last write or rename in seconds since 1970)."""
        root = Path(self.path(""))
        for place, _, names in os.walk(root / folder):
            for name in names:
                path = Path(place) / name
                yield path.relative_to(root).as_posix(), _changed_at(path)

    @contextmanager
    def _missing_store(self) -> Iterator[None]:
        """Raise NoStoreError instead of FileNotFoundError if not only this file is missing."""
        try:
            yield
        except FileNotFoundError as exc:
            if self.is_empty():
                raise stored_files.NoStoreError from exc
            raise

    def _write(self, name: str, content: Any) -> str:
        """Write a file under the first free name. Returns the name."""
        mode = self.file_permissions_mode
        if mode is None:
            mode = 0o666
        while True:
            content.seek(0)
            path = Path(self.path(name))
            try:
                # The row with the name is written later.
                atomic_files.write_new(
                    path, content.chunks(), mode=mode, may_be_empty=True
                )
            except FileExistsError:
                taken = PurePosixPath(name)
                root = str(taken.with_suffix(""))
                name = self.get_alternative_name(root, taken.suffix)
            else:
                return name


def _changed_at(path: Path) -> float:
    """When a file was last written or renamed (seconds since 1970); now, if it was just removed."""
    try:
        state = path.lstat()
    except FileNotFoundError:
        return time.time()
    return max(state.st_mtime, state.st_ctime)


def _open_plain(path: str, flags: int) -> int:
    """Open a regular file; refuse links and pipes, without waiting for a pipe's writer."""
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as exc:
        # A link, a pipe without a reader, or a folder.
        if exc.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:
            raise stored_files.ChangedError from exc
        raise
    # Check the open descriptor: the path may lead to another file a moment later.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise stored_files.ChangedError
    return descriptor


def fault() -> str:
    """Why the store accepts no files now; empty if it does. Writes and deletes a test file.

    Raises DatabaseError: the database has the keys, and knows whether an empty store lost files.
    """
    return _fault(default_storage)


def fault_by_itself() -> str | None:
    """The same without the database, so the test file is not encrypted.

    None: the store is empty, and only the database knows whether it has lost its files.
    """
    inner: Storage = getattr(default_storage, "inner", default_storage)
    is_empty = getattr(inner, "is_empty", None)
    if is_empty is not None and is_empty():
        return None
    return _fault(inner)


def _fault(storage: Storage) -> str:
    name = f"{TRIALS}/{get_random_string(16)}"
    try:
        name = storage.save(name, ContentFile(b"ready"))
        storage.delete(name)
    except stored_files.StoredError as exc:
        return str(exc)
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 - storages of other kinds have their own errors
        return str(stored_files.NotWritableError.reason)
    return ""
