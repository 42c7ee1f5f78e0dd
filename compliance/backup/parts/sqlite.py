"""An SQLite database: copied by its online backup, while others read and write it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from compliance.backup.errors import BackupError
from compliance.storage import atomic_files

TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table'"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
)
# What SQLite keeps beside a database.
SIDE_FILES = ("-wal", "-shm", "-journal")


class Snapshot:
    """The database as of the moment at which this was made."""

    def __init__(self, path: Path) -> None:
        self._source = sqlite3.connect(path, timeout=20, isolation_level=None)
        # A transaction sees the database as of its first statement. It keeps no writer waiting.
        self._source.execute("BEGIN")
        self._source.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()

    def write(self, target: Path) -> dict[str, int]:
        """Copy it into a new file. Returns the number of rows of each table."""
        with contextlib.closing(sqlite3.connect(target)) as copy:
            self._source.backup(copy)
            # One file, without a log beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
            return counts(copy)

    def close(self) -> None:
        self._source.close()


@contextlib.contextmanager
def snapshot(path: Path) -> Iterator[Snapshot]:
    one = Snapshot(path)
    try:
        yield one
    finally:
        one.close()


def tables(path: Path) -> list[str]:
    if not path.exists() or not path.stat().st_size:
        return []
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as database:
        return [name for (name,) in database.execute(TABLES)]


def counts(database: sqlite3.Connection) -> dict[str, int]:
    """The number of rows of each table."""
    rows = {}
    for (name,) in database.execute(TABLES).fetchall():
        quoted = name.replace('"', '""')
        sql = f'SELECT COUNT(*) FROM "{quoted}"'  # noqa: S608 - a name of the database
        rows[name] = int(database.execute(sql).fetchone()[0])
    return rows


def counts_of(path: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as database:
        return counts(database)


def require_whole(path: Path) -> None:
    """Raise BackupError where the pages of a copy do not fit together."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        try:
            [(answer,)] = database.execute("PRAGMA integrity_check(1)").fetchall()
        except sqlite3.DatabaseError as exc:
            answer = str(exc)
    if answer != "ok":
        message = f"The database of this backup is damaged: {answer}."
        raise BackupError(message)


def install(copy: Path, path: Path) -> None:
    """Put a copy in the place of the database; both are in one file system."""
    with copy.open("rb") as file:
        _sync(file)
    # The log of the database that is replaced must not be read into this one.
    for ending in SIDE_FILES:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    copy.chmod(0o600)
    copy.replace(path)
    atomic_files.sync_folder(path.parent)


def _sync(file: IO[bytes]) -> None:
    os.fsync(file.fileno())
