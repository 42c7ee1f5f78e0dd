"""Stored files with their SHA-256: opening one returns exactly the uploaded content, or raises."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol, cast

from django.core.files import File
from django.db.models.fields.files import FieldFile
from django.utils.translation import gettext_lazy as _

from compliance.db import clock, masks

CHUNK = 1 << 20
# Seconds that pages of this process wait for the store before they ask for no further file, and the
# share of each second after which they ask again. A store that is well answers in a millisecond.
WAIT_LIMIT = 2.0
RECOVERY = 0.25
Version = tuple[object, ...]
# A cache of checked files, because pages check the same files repeatedly: name → (SHA-256, version
# of the file in its store).
MAX_CHECKED = 10_000
_checked: dict[str, tuple[str, Version]] = {}


class StoredError(Exception):
    """A file cannot be read as it was stored. The message says why, for people."""

    status = 503
    reason = _("The file cannot be read from the store now.")

    def __init__(self) -> None:
        super().__init__(self.reason)

    @property
    def is_temporary(self) -> bool:
        """Whether the same may succeed later."""
        return self.status >= 500


class MissingError(StoredError):
    status = 410
    reason = _("The file is not in the store any more.")


class ChangedError(StoredError):
    status = 409
    reason = _(
        "The file in the store is not the one that was handed in: its SHA-256 differs."
    )


class ErasedFileError(StoredError):
    status = 410
    reason = _("The file was erased: its key does not exist any more.")


class NotAskedError(StoredError):
    reason = _(
        "The file was not compared yet: the files are many or large, or the document store is slow or"
        " away. Try again later."
    )


class NotWritableError(StoredError):
    """A file could not be stored; nothing of it is left."""

    reason = _(
        "The document store takes no files now. Nothing was kept: try again later."
    )


class NoStoreError(NotWritableError):
    """The store was removed or is not mounted. Its files are not lost: they may come back."""

    reason = _(
        "The document store is empty, although files were stored in it. It was removed, or its disk is"
        " not mounted."
    )


class FullError(NotWritableError):
    status = 507
    reason = _(
        "The document store is full. Nothing was kept: make room, and try again."
    )


def opened(file: FieldFile, sha256: str) -> File[bytes]:
    """The open file with the stored content. Raises StoredError.

    Rows of older versions have no hash; for them only a missing file is detected.
    """
    try:
        if not file:
            raise FileNotFoundError
        source: File[bytes] = file.storage.open(file.name or "", "rb")
    except OSError as exc:
        raise _as_stored_error(exc) from exc
    _compare(source, sha256)
    return source


def opened_all(
    files: Sequence[tuple[FieldFile, str]],
) -> list[File[bytes] | StoredError]:
    """Like opened() of each, but the store is asked for them side by side.

    `files`: pairs of a file and its SHA-256, all of one document store. For each the open file, or
    its error.
    """
    if not files:
        return []
    store = cast("_OpensAll", files[0][0].storage)
    names = [file.name for file, _ in files if file.name]
    answers = iter(store.open_all(names))
    results: list[File[bytes] | StoredError] = []
    for file, sha256 in files:
        # The row of a file that was removed has no name.
        answer = next(answers) if file.name else FileNotFoundError()
        if isinstance(answer, Exception):
            results.append(_as_stored_error(answer))
            continue
        try:
            _compare(answer, sha256)
        except StoredError as exc:
            results.append(exc)
        else:
            results.append(answer)
    return results


class _OpensAll(Protocol):
    def open_all(self, names: Sequence[str]) -> list[File[bytes] | Exception]: ...


def _as_stored_error(exc: Exception) -> StoredError:
    if isinstance(exc, StoredError):
        return exc
    if isinstance(exc, FileNotFoundError):
        return MissingError()
    return StoredError()


def _compare(source: File[bytes], sha256: str) -> None:
    """Raises ChangedError if the content has another SHA-256; then the file is closed."""
    if sha256 and _digest(source) != sha256:
        source.close()
        raise ChangedError


def content(file: FieldFile, sha256: str) -> bytes:
    """The whole content. Raises StoredError."""
    with opened(file, sha256) as source:
        data: bytes = source.read()
    # Check again: the file may have changed after opened() has read it.
    if sha256 and hashlib.sha256(data).hexdigest() != sha256:
        raise ChangedError
    return data


def read_through(source: File[bytes]) -> None:
    """Read a file to its end. Raises StoredError if a part of it cannot be read."""
    _digest(source)


def fault(file: FieldFile, sha256: str) -> StoredError | None:
    """The error of a stored file; None if it is intact.

    It may be called for each page: a file is read again only if its storage reports a change. With
    a storage that has no versions, it is read each time.
    """
    if not file:
        return None
    try:
        version = _version_of(file)
    except StoredError as exc:
        return exc
    name = str(file.name)
    if version is not None and _checked.get(name) == (sha256, version):
        return None
    error = _fault(file, sha256)
    if version is not None and error is None:
        if len(_checked) >= MAX_CHECKED:
            _checked.clear()
        _checked[name] = (sha256, version)
    return error


def fault_for_page(file: FieldFile, sha256: str) -> StoredError | None:
    """Like fault(), for a page or a decision, which asks for many files.

    It returns NotAskedError where the answers of the store have taken too long. So a page waits for
    WAIT_LIMIT and one file, not for a time limit for each of its files.
    """
    if not file:
        return None
    if not _budget.is_left():
        return NotAskedError()
    start = clock.steady()
    try:
        return fault(file, sha256)
    finally:
        _budget.spend(clock.steady() - start)


class _WaitBudget:
    """The seconds for which pages of this process may still wait for the store."""

    def __init__(self) -> None:
        self._left, self._at = WAIT_LIMIT, 0.0

    def is_left(self) -> bool:
        return self._now() > WAIT_LIMIT / 2

    def spend(self, seconds: float) -> None:
        self._left = self._now() - seconds

    def _now(self) -> float:
        at = clock.steady()
        self._left = min(WAIT_LIMIT, self._left + (at - self._at) * RECOVERY)
        self._at = at
        return self._left


_budget = _WaitBudget()


def _version_of(file: FieldFile) -> Version | None:
    """The version that the storage reports for the file; None if it has no versions.

    Raises StoredError.
    """
    version_of = getattr(file.storage, "version_of", None)
    if version_of is None:
        return None
    try:
        version: Version | None = version_of(str(file.name))
    except FileNotFoundError as exc:
        raise MissingError from exc
    except OSError as exc:
        raise StoredError from exc
    return version


def _fault(file: FieldFile, sha256: str) -> StoredError | None:
    try:
        # Opening is refused while values are hidden. Here it is allowed: nobody sees the content.
        with masks.hidden(hides=False):
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
    except StoredError:
        source.close()
        raise
    return digest.hexdigest()
