"""Files that were kept with their SHA-256: whoever opens one gets what was handed in, or is told."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.core.files import File
from django.db.models.fields.files import FieldFile

CHUNK = 1 << 20
# The files that were found to be right, by path: their hash, and how the system marked them then.
MOST_HELD = 10_000
_held: dict[str, tuple[str, tuple[int, ...]]] = {}


class StoredError(Exception):
    """A file of the store is not to be had as it was kept. The text says why, for a person."""

    status = 503
    reason = "The file cannot be read from the store now."

    def __init__(self) -> None:
        super().__init__(self.reason)


class MissingError(StoredError):
    status = 410
    reason = "The file is not in the store any more."


class ChangedError(StoredError):
    status = 409
    reason = "The file in the store is not the one that was handed in: its SHA-256 differs."


class NotWritableError(StoredError):
    """A file could not be kept, and nothing of it is left."""

    reason = "The document store takes no files now. Nothing was kept: try again later."


class FullError(NotWritableError):
    status = 507
    reason = "The document store is full. Nothing was kept: make room, and try again."


def opened(file: FieldFile, sha256: str) -> File[bytes]:
    """The file at its start, with the content that it was kept with. Raises StoredError.

    Rows from before hashes were kept have none: of these only a missing file is known.
    """
    try:
        if not file:
            raise FileNotFoundError
        source: File[bytes] = file.storage.open(file.name or "", "rb")
    except FileNotFoundError as exc:
        raise MissingError from exc
    except OSError as exc:
        raise StoredError from exc
    if sha256 and _digest(source) != sha256:
        source.close()
        raise ChangedError
    return source


def content(file: FieldFile, sha256: str) -> bytes:
    """The whole content. Raises StoredError."""
    with opened(file, sha256) as source:
        found: bytes = source.read()
    if sha256 and hashlib.sha256(found).hexdigest() != sha256:
        raise ChangedError  # while it was read
    return found


def fault(file: FieldFile, sha256: str) -> StoredError | None:
    """What is wrong with a file of the store. Pages ask often: a file of a folder is read again
    only where the system says that it was touched, whatever date somebody gave it."""
    if not file:
        return None
    try:
        path = file.storage.path(file.name or "")
    except NotImplementedError:  # no folder: another machine's store
        return _fault(file, sha256)
    return _fault_at(path, file, sha256)


def _fault_at(path: str, file: FieldFile, sha256: str) -> StoredError | None:
    try:
        seen = Path(path).lstat()  # a link that is put in its place is another file
    except FileNotFoundError:
        return MissingError()
    except OSError:
        return StoredError()
    # The time of the last change of the file's entry is the system's own: nobody can set it back.
    mark = (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
    if _held.get(path) == (sha256, mark):
        return None
    found = _fault(file, sha256)
    if found is None:
        if len(_held) >= MOST_HELD:
            _held.clear()
        _held[path] = (sha256, mark)
    return found


def _fault(file: FieldFile, sha256: str) -> StoredError | None:
    try:
        opened(file, sha256).close()
    except StoredError as exc:
        return exc
    return None


def _digest(source: File[bytes]) -> str:
    digest = hashlib.sha256()
    try:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
        source.seek(0)
    except OSError as exc:
        source.close()
        raise StoredError from exc
    return digest.hexdigest()
