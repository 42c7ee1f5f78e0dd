"""Versions of lists that are held for a person's decision, each stored with its file.

Per list at most one version is held: a newer one replaces it, and so does a version that becomes
active.
"""

from __future__ import annotations

import hashlib
import logging
import tempfile
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from django.core.files.base import File
from django.db import transaction
from django.utils.timezone import now

from agenthub.models.lists import HeldVersion, ListSource, ListVersion
from agenthub.screening.formats import ListError
from compliance.db import clock
from compliance.security import decisive_rows
from compliance.storage import stored_files
from compliance.work import notify

log = logging.getLogger(__name__)

QUEUE = "agenthub.tasks.release_held_versions"
# A released version is loaded in one go, like a downloaded one.
LEASE = timedelta(minutes=30)
CHUNK = 1 << 20


class HeldError(ListError):
    """A version is held for a person's decision. The message says why."""


def of(source: ListSource) -> HeldVersion | None:
    """The version that is held, or is released and being loaded; None if there is none."""
    waiting = (HeldVersion.Status.HELD, HeldVersion.Status.RELEASED)
    rows = HeldVersion.objects.filter(version__source=source, status__in=waiting)
    return rows.select_related("version").order_by("-id").first()


def refuse_again(source: ListSource, sha256: str) -> None:
    """Raises HeldError if this file is held already, or each hourly fetch would hold it again."""
    rows = HeldVersion.objects.filter(
        version__source=source, status=HeldVersion.Status.HELD
    )
    row = rows.filter(version__sha256=sha256).select_related("version").first()
    if row is not None:
        raise HeldError(row.version.note)


def keep(version: ListVersion, path: Path) -> None:
    """Store the file of a held version. It replaces versions that were held before."""
    discard(version.source)
    with _one_file(path) as file:
        row = HeldVersion(
            version=version,
            file_name=file.name[:255],
            sha256=_digest(file),
        )
        with file.open("rb") as stream:
            row.file.save(f"{uuid.uuid4()}.list", File(stream), save=False)
        row.save()


def discard(source: ListSource) -> None:
    """Discard the held versions of a list, because another version has replaced them."""
    rows = HeldVersion.objects.filter(
        version__source=source, status=HeldVersion.Status.HELD
    )
    for row in rows:
        if _move(row, HeldVersion.Status.DISCARDED):
            row.file.delete(save=False)
            HeldVersion.objects.filter(pk=row.pk).update(file="")


def release(row: HeldVersion, *, by: str, reason: str) -> bool:
    """Have a held version loaded in spite of the doubts. Returns False if it is no longer held."""
    moved = _move(
        row,
        HeldVersion.Status.RELEASED,
        released_by=by,
        released_at=now(),
        reason=reason,
        error="",
        due_at=clock.now(),
    )
    if moved:
        log.info(
            "list %s: held version %s is released",
            row.version.source.slug,
            row.version_id,
        )
        notify.after_commit(QUEUE)
    return moved


def end(row: HeldVersion) -> None:
    """End the row of a released version that was loaded: its file is no longer needed."""
    if _move(row, HeldVersion.Status.ACTIVE, due_at=None, leased_until=None):
        row.file.delete(save=False)
        HeldVersion.objects.filter(pk=row.pk).update(file="")


def give_up(row: HeldVersion, reason: str) -> None:
    """Hold the version again for a person, because it could not be loaded."""
    _move(
        row,
        HeldVersion.Status.HELD,
        due_at=None,
        leased_until=None,
        error=reason,
    )


@transaction.atomic
def _move(row: HeldVersion, to: str, **changes: object) -> bool:
    """Move the row, and have the change recorded: who released a version decides what is found."""
    moved = row.move(to, **changes)
    if moved:
        decisive_rows.changed(row)
    return moved


@contextmanager
def copy(row: HeldVersion) -> Iterator[Path]:
    """A local copy of the file under its original name. Raises StoredError."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(row.file_name).name or "list")
        with (
            stored_files.opened(row.file, row.sha256) as source,
            path.open("wb") as target,
        ):
            while chunk := source.read(CHUNK):
                target.write(chunk)
        yield path


@contextmanager
def _one_file(path: Path) -> Iterator[Path]:
    """The path as one file: a folder is packed into an archive, which is read like the folder."""
    if not path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / f"{path.name or 'list'}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
            for file in sorted(path.iterdir()):
                target.write(file, file.name)
        yield archive


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
