"""Restores a backup into the database and the document store of this installation.

The archive is read twice. The first time it is only compared with its manifest, so a damaged
archive changes nothing. Then the documents are written, and the database last. The `marker` exists
from the first change to the last check.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, cast

from django.conf import settings
from django.core.files.storage import Storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from compliance.backup import keys, marker
from compliance.backup.archive import (
    ABOUT,
    DATABASE,
    DOCUMENTS,
    ERASED_KEYS,
    TRAIL,
    ArchiveReader,
    Part,
    open_source,
)
from compliance.backup.creation import FORM, About
from compliance.backup.errors import BackupError, named
from compliance.backup.parts import documents, postgresql, sqlite, trail_files
from compliance.backup.workplace import no_worker, workplace


class Documents(TypedDict):
    files: int
    bytes: int


class Manifest(TypedDict):
    """The last part of an archive."""

    archive: str
    tables: dict[str, int]  # table → number of rows
    documents: Documents


@dataclass
class Contents:
    """The contents of an archive. `database` is the path of the SQLite copy or the dump."""

    about: About
    manifest: Manifest
    database: Path


@dataclass(frozen=True)
class Places:
    """The destinations of an archive's parts."""

    store: Storage
    anchors: Path
    audit_keys: Path
    # Whether erased keys in the archive are added to the list here.
    merges_erased: bool


def restore(path: Path, key: bytes, *, overwrites: bool) -> Contents:
    """Restore a backup. Raises BackupError; the message says whether anything was changed."""
    places = Places(
        store=documents.inner_store(),
        anchors=Path(settings.AUDIT_ANCHORS),
        audit_keys=Path(settings.AUDIT_KEYS_DIR),
        merges_erased=True,
    )
    failing = named("The backup could not be restored")
    with failing, workplace() as folder, _not_running():
        # All checks before the marker change nothing.
        about = read_about(path, key)
        require_fit(about)
        _require_empty(about, overwrites=overwrites)
        require_whole(path, key)
        marker.begin(about["archive"])
        contents = unpack(path, key, folder, places)
        _install(contents)
        require_counts(contents.manifest, _counts())
        marker.end()
    return contents


def read_about(path: Path, key: bytes) -> About:
    """The first part of an archive. Raises BackupError."""
    with open_source(path) as source:
        part = next(ArchiveReader(source, key).parts(), None)
        if part is None or part.name != ABOUT:
            raise BackupError("This backup does not say what it is.")
        about = cast(About, part.read_json())
    if about.get("form") != FORM:
        raise BackupError("This backup was made by another version of this program.")
    return about


def require_whole(path: Path, key: bytes) -> None:
    """Raise BackupError if a part is missing or was changed. Nothing is written."""
    with open_source(path) as source:
        for _ in ArchiveReader(source, key).parts():
            pass


def require_fit(about: About) -> None:
    """Raise BackupError if this installation cannot use the backup: vendor, keys or migrations."""
    if about["database"] != connection.vendor:
        message = (
            f"This backup is of a database of {about['database']}, and this installation has"
            f" {connection.vendor}."
        )
        raise BackupError(message)
    keys.require_encryption_keys(about["encryption_keys"])
    known = MigrationLoader(None).disk_migrations
    here = {app for app, _ in known}
    for app, name in about["migrations"]:
        if app in here and (app, name) not in known:
            message = (
                f"This backup was made by a newer version: its database has {app}.{name}, which is"
                " not known here."
            )
            raise BackupError(message)


def unpack(path: Path, key: bytes, folder: Path, places: Places) -> Contents:
    """Write the parts of an archive to their destinations. Raises BackupError."""
    about: About | None = None
    database = folder / "database"
    with open_source(path) as source:
        archive = ArchiveReader(source, key)
        for part in archive.parts():
            if part.name == ABOUT:
                about = cast(About, part.read_json())
            elif part.name == DATABASE:
                _write_file(part, database)
            else:
                _write_part(part, places)
    if about is None:
        raise BackupError("This backup does not say what it is.")
    manifest = cast(Manifest, archive.manifest)
    return Contents(about, manifest, database)


def require_counts(manifest: Manifest, rows: dict[str, int]) -> None:
    """Raise BackupError if a table has another number of rows than in the backup."""
    expected = manifest["tables"]
    for table in sorted(expected | rows):
        if expected.get(table) != rows.get(table):
            message = (
                f"The table {table} has {rows.get(table)} rows, and {expected.get(table)} were"
                " backed up."
            )
            raise BackupError(message)


def _write_file(part: Part, path: Path) -> None:
    with path.open("wb") as file:
        for chunk in part.chunks():
            file.write(chunk)


def _write_part(part: Part, places: Places) -> None:
    if part.name.startswith(DOCUMENTS):
        documents.write(part, places.store)
    elif part.name.startswith(TRAIL):
        trail_files.write(part, anchors=places.anchors, keys_folder=places.audit_keys)
    elif part.name == ERASED_KEYS and places.merges_erased:
        trail_files.merge_erased(part)


@contextlib.contextmanager
def _not_running() -> Iterator[None]:
    """Raise BackupError if something uses the database; on SQLite, keep workers from starting."""
    if connection.vendor == "sqlite":
        with no_worker():
            yield
        return
    others = postgresql.others()
    if others:
        message = f"{others} other sessions use the database: stop web, workers and beat before a restore."
        raise BackupError(message)
    yield


def _require_empty(about: About, *, overwrites: bool) -> None:
    # The same backup is restored again after an interruption: data is expected here.
    if marker.interrupted().get("archive") == about["archive"]:
        return
    tables = _tables()
    if not overwrites and (tables or documents.has_any()):
        raise BackupError(
            "This installation has data. Nothing was changed. Restore into an empty one, or add"
            " --overwrite: the database is replaced, and documents of the same name."
        )
    others = sorted(set(tables) - set(about["tables"]))
    if others and connection.vendor != "sqlite":
        message = (
            f"The database has tables that the backup does not have, such as {others[0]}."
            " Nothing was changed. Restore into an empty database."
        )
        raise BackupError(message)


def _tables() -> list[str]:
    if connection.vendor == "sqlite":
        return sqlite.tables(Path(connection.settings_dict["NAME"]))
    return postgresql.tables()


def _install(contents: Contents) -> None:
    if connection.vendor == "sqlite":
        sqlite.require_whole(contents.database)
        connection.close()
        sqlite.install(contents.database, Path(connection.settings_dict["NAME"]))
        return
    connection.close()
    place = postgresql.server()
    postgresql.install(contents.database, place, contents.about["extensions"])


def _counts() -> dict[str, int]:
    if connection.vendor == "sqlite":
        return sqlite.counts_of(Path(connection.settings_dict["NAME"]))
    return postgresql.counts()
