"""Creates a backup while the installation is running.

Documents are read before and after the snapshot of the database. A document to which a row of the
snapshot refers was in the store at one of the two times.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypedDict

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.timezone import now

from compliance.backup import keys
from compliance.backup.archive import ABOUT, DATABASE, ArchiveWriter
from compliance.backup.errors import BackupError, named
from compliance.backup.parts import documents, postgresql, sqlite, trail_files
from compliance.backup.workplace import workplace
from compliance.security.data_keys import DataKey
from compliance.storage import atomic_files

# The version of the archive's format.
FORM = 1
# The file with the time of the last backup, for `manage.py doctor`.
LAST = "last-backup.json"


@dataclass(frozen=True)
class Summary:
    """The contents of a backup. `encryption_keys`: ids of the keys that a restore needs."""

    bytes: int
    tables: int
    rows: int
    documents: int
    key_id: str
    encryption_keys: list[str]


def create(path: Path, key: bytes) -> Summary:
    """Write a backup into a new file. Raises BackupError; then the file does not exist."""
    if path.exists():
        message = f"{path} exists already."
        raise BackupError(message)
    # Write under another name first: a file with the final name is always complete.
    part = path.with_name(f"{path.name}.part")
    failing = named("The backup could not be written")
    with failing, workplace() as folder, _removed_on_failure(part):
        with _new_file(part) as target:
            summary = _write(target, key, folder)
            target.flush()
            os.fsync(target.fileno())
            size = target.tell()
        part.rename(path)
        atomic_files.sync_folder(path.parent)
    _note(path, summary)
    return Summary(**{**vars(summary), "bytes": size})


class About(TypedDict):
    """The first part of an archive: what the backup contains."""

    form: int  # the version of the archive's format
    archive: str
    created_at: str
    database: str  # vendor
    tables: list[str]
    extensions: list[str]
    migrations: list[tuple[str, str]]  # app, name
    encryption_keys: list[str]  # ids


def last() -> dict[str, object]:
    """The record of the last backup, with its time `at`; empty if there is none."""
    try:
        text = (Path(settings.VAR_DIR) / LAST).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return dict(json.loads(text))


def _write(target: IO[bytes], key: bytes, folder: Path) -> Summary:
    with (folder / "parts").open("w+b") as parts:
        archive = ArchiveWriter(target, key, parts)
        about = _about()
        archive.add_json(ABOUT, about)
        with contextlib.closing(
            documents.Collection(archive, folder / "names")
        ) as collection:
            collection.add_new()
            counts, anchors_size = _add_database(archive, folder)
            collection.add_new()
        trail_files.add(archive, anchors_size=anchors_size)
        archive.finish(
            {
                "archive": about["archive"],
                "tables": counts,
                "documents": {"files": collection.count, "bytes": collection.bytes},
            }
        )
    return Summary(
        bytes=0,
        tables=len(counts),
        rows=sum(counts.values()),
        documents=collection.count,
        key_id=keys.key_id(key),
        encryption_keys=about["encryption_keys"],
    )


def _about() -> About:
    try:
        wrappers = DataKey.objects.filter(erased_at=None).values_list("wrapper")
        used = sorted({wrapper for (wrapper,) in wrappers.distinct()})
        migrations = sorted(MigrationRecorder(connection).applied_migrations())
    except DatabaseError as exc:
        migrate = f"{settings.PROGRAM} migrate"
        message = f"The database cannot be read: {exc}. Does `{migrate}` run?"
        raise BackupError(message) from exc
    is_sqlite = connection.vendor == "sqlite"
    return {
        "form": FORM,
        "archive": secrets.token_hex(16),
        "created_at": now().isoformat(timespec="seconds"),
        "database": connection.vendor,
        "tables": connection.introspection.table_names(),
        "extensions": [] if is_sqlite else postgresql.extensions(),
        "migrations": migrations,
        "encryption_keys": used,
    }


def _add_database(archive: ArchiveWriter, folder: Path) -> tuple[dict[str, int], int]:
    """Returns the rows of each table, and how many bytes of the anchors belong to the snapshot."""
    copy = folder / "database"
    with contextlib.ExitStack() as stack:
        with trail_files.no_new_anchor() as anchors_size:
            write = stack.enter_context(_snapshot())
        counts = write(copy)
    with copy.open("rb") as file:
        archive.add(DATABASE, file, copy.stat().st_size)
    copy.unlink()
    return counts, anchors_size


@contextlib.contextmanager
def _snapshot() -> Iterator[Callable[[Path], dict[str, int]]]:
    """A snapshot of the database, as a function that writes it to a file and returns row counts."""
    if connection.vendor == "sqlite":
        with sqlite.snapshot(Path(connection.settings_dict["NAME"])) as copy:
            yield copy.write
    else:
        with postgresql.snapshot() as dump:
            yield dump.write


def _new_file(path: Path) -> IO[bytes]:
    # Remove the remains of a backup that was killed.
    path.unlink(missing_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as exc:
        message = f"{path} cannot be written: {exc.strerror}."
        raise BackupError(message) from exc
    return os.fdopen(descriptor, "wb")


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _note(path: Path, summary: Summary) -> None:
    entry = {"at": now().isoformat(timespec="seconds"), "rows": summary.rows}
    atomic_files.replace(
        Path(settings.VAR_DIR) / LAST,
        [json.dumps({**entry, "file": str(path)}).encode()],
    )
