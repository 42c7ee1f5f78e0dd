"""Backup of an SQLite database with its online backup, during reads and writes."""

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
# Endings of files that SQLite creates beside a database.
SIDE_FILES = ("-wal", "-shm", "-journal")


class Snapshot:
    """The database at the moment of creation. Other connections may go on writing."""

    def __init__(self, path: Path) -> None:
        self._source = sqlite3.connect(path, timeout=20, isolation_level=None)
        # In WAL mode, a transaction sees the database as of its first read, and blocks no writer.
        self._source.execute("BEGIN")
        self._source.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()

    def write(self, target: Path) -> dict[str, int]:
        """Copy the snapshot into a new file. Returns the number of rows of each table."""
        with contextlib.closing(sqlite3.connect(target)) as copy:
            self._source.backup(copy)
            # Without WAL mode, the copy is one file.
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
    """Raise BackupError if the copy is damaged."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        try:
            [(answer,)] = database.execute("PRAGMA integrity_check(1)").fetchall()
        except sqlite3.DatabaseError as exc:
            answer = str(exc)
    if answer != "ok":
        message = f"The database of this backup is damaged: {answer}."
        raise BackupError(message)


def install(copy: Path, path: Path) -> None:
    """Replace the database by a copy. Both must be in the same file system."""
    with copy.open("rb") as file:
        _sync(file)
    # SQLite would apply an old log to the new database.
    for ending in SIDE_FILES:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    copy.chmod(0o600)
    copy.replace(path)
    atomic_files.sync_folder(path.parent)


def _sync(file: IO[bytes]) -> None:
    os.fsync(file.fileno())
