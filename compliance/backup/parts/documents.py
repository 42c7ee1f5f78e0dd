"""The files of the document store, unchanged: each is encrypted with the data key of its case.

So erased data is also erased in every backup whose database no longer has the key.
"""

from __future__ import annotations

import contextlib
import io
import sqlite3
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.core.files.base import File
from django.core.files.storage import Storage, storages

from compliance.backup.archive import DOCUMENTS, ArchiveWriter, Part
from compliance.backup.errors import BackupError, named
from compliance.security.encrypted_files import EncryptedStorage
from compliance.storage import atomic_files, orphans
from compliance.storage.backend import TRIALS, WholeFileStorage


def inner_store() -> Storage:
    """The storage below the encryption."""
    store: Storage = storages["default"]
    if isinstance(store, EncryptedStorage):
        return store.inner
    return store


class Collection:
    """Adds the files of the store to an archive, each once.

    `add_new()` may be called repeatedly.
    """

    def __init__(self, archive: ArchiveWriter, index: Path) -> None:
        """`index`: the path of a temporary file for the names, which saves memory."""
        self._archive = archive
        self._store = inner_store()
        self._names = sqlite3.connect(index, isolation_level=None)
        self._names.execute("PRAGMA synchronous=OFF")
        self._names.execute("CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID")
        self._names.execute("BEGIN")
        self.count = 0
        self.bytes = 0

    def add_new(self) -> None:
        """Add the files that are not in the archive yet."""
        for name in names(self._store):
            if self._is_new(name):
                self._add(name)

    def close(self) -> None:
        self._names.close()

    def _is_new(self, name: str) -> bool:
        sql = "INSERT OR IGNORE INTO names VALUES (?)"
        return self._names.execute(sql, [name]).rowcount == 1

    def _add(self, name: str) -> None:
        # A backup without this file would not be whole, so it is not made: the message names it.
        with named(f"The document {name} cannot be read"):
            try:
                file = self._store.open(name, "rb")
            # The file was erased meanwhile.
            except FileNotFoundError:
                return
            source: IO[bytes] = file.file or io.BytesIO()
        with file:
            size = source.seek(0, io.SEEK_END)
            source.seek(0)
            self._archive.add(DOCUMENTS + name, source, size)
        self.count += 1
        self.bytes += size


def names(store: Storage) -> Iterator[str]:
    """The names of all files of a store, without those of the store's self-test."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            inner_folders, files = store.listdir(folder)
        except FileNotFoundError:
            continue
        for name in inner_folders:
            path = f"{folder}{name}"
            if path != TRIALS:
                folders.append(f"{path}/")
        for name in files:
            # Skip files that are being written, and the marker of the clean-up.
            is_temporary = name.startswith(atomic_files.PART) or name == orphans.MARK
            if not is_temporary:
                yield f"{folder}{name}"


def has_any() -> bool:
    return next(names(inner_store()), None) is not None


def write(part: Part, store: Storage) -> None:
    """Store a file of an archive under its name, replacing an existing file. Raises BackupError."""
    name = part.name.removeprefix(DOCUMENTS)
    # An archive is untrusted: its names must not lead out of the store.
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        message = f"{part.name} leads out of the document store."
        raise BackupError(message)
    content: Any = _PartFile(part, name)
    with named(f"The document {name} cannot be stored"):
        if store.exists(name):
            store.delete(name)
        saved: str = store._save(name, content)  # type: ignore[attr-defined]
    # The storage may choose another name if a file exists. Then undo it.
    if saved != name:
        with contextlib.suppress(OSError):
            store.delete(saved)
        message = f"The document store has another file {name}."
        raise BackupError(message)


def folder_store(folder: Path) -> Storage:
    """A storage in a temporary folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return WholeFileStorage(location=str(folder))


class _PartFile(File[bytes]):
    """A part as a file that the storage reads once, from its start."""

    def __init__(self, part: Part, name: str) -> None:
        super().__init__(io.BytesIO(), name)
        self._part = part

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        return self._part.chunks()

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return b"".join(self._part.chunks())
        return self._part.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        if offset or whence:
            raise io.UnsupportedOperation("It is read once, from its start.")
        return 0

    @property
    def size(self) -> int:
        return self._part.size
