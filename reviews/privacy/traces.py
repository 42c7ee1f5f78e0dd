"""Removes traces of deleted rows from the database files, as far as the database allows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.contrib.admin.models import LogEntry
from django.db import connection

from compliance.models import DataKey
from compliance.security import data_map
from compliance.security.data_map import Act

# Steps of merging the search index. Each is a transaction of its own, so that others can write
# in between.
STEPS = 200
PAGES = 200  # pages of the index merged in one step

# Requests take less time. A report or a backup may take longer: then the vacuum is not complete.
WAIT_SECONDS = 60


def remove() -> bool:
    """Remove traces on SQLite: merge the search index, and checkpoint the write-ahead log.

    Freed pages are overwritten with zeros (`secure_delete`). Returns False if a reader blocks
    the checkpoint: a later call or SQLite itself does it. On PostgreSQL it does nothing; there,
    administrators call `vacuum`.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return False
    with connection.cursor() as cursor:
        _merge_search_index(cursor)
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, _, _ = cursor.fetchone()
    return not busy


def _merge_search_index(cursor: object) -> None:
    """Merge the FTS5 index: the trigrams of deleted texts stay until its segments are merged."""
    execute = cursor.execute  # type: ignore[attr-defined]
    for step in range(STEPS):
        # A negative number begins a complete merge; a positive one continues it.
        pages = -PAGES if step == 0 else PAGES
        before = _changes(cursor)
        execute(
            "INSERT INTO reviews_search (reviews_search, rank) VALUES ('merge', %s)",
            [pages],
        )
        # FTS5 counts the statement as one change, and real work as more: fewer than two mean
        # that the merge is complete.
        if _changes(cursor) - before < 2:
            return


def _changes(cursor: object) -> int:
    cursor.execute("SELECT total_changes()")  # type: ignore[attr-defined]
    (count,) = cursor.fetchone()  # type: ignore[attr-defined]
    return int(count)


@dataclass(frozen=True)
class Vacuum:
    """The result of `vacuum`. `is_complete` is false if an erased row may still be in a file."""

    tables: list[str]
    is_complete: bool = True


def vacuum() -> Vacuum:
    """On PostgreSQL, rewrite the tables with erased rows.

    A plain VACUUM marks the space of an erased row as free, and leaves its bytes in the file. FULL
    copies the other rows into a new file. Meanwhile the table is locked, and the disk holds both files.
    """
    if connection.vendor != "postgresql":
        remove()
        return Vacuum([])
    # The erased keys of cases decrypt the rows of older backups, and the log of the admin has texts
    # about cases.
    names = [DataKey._meta.db_table, LogEntry._meta.db_table]
    for table in data_map.of_app("reviews", "webhooks", "agenthub"):
        if table.act is not Act.STAY:
            names.append(table.cls._meta.db_table)
    with connection.cursor() as cursor:
        # A large table takes longer than a request may.
        cursor.execute("SET statement_timeout = 0")
        is_complete = _wait_for_older_transactions(cursor)
        for name in names:
            cursor.execute(f"VACUUM (FULL) {connection.ops.quote_name(name)}")
        cursor.execute("RESET statement_timeout")
    return Vacuum(names, is_complete)


# Transaction ids find the open transactions that write. Start times also find those that only read.
_NOW = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text, clock_timestamp()"
_OLDER_ARE_OPEN = """
    SELECT pg_snapshot_xmin(pg_current_snapshot()) < %s::xid8 OR EXISTS (
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND xact_start < %s AND pid <> pg_backend_pid()
    )"""


def _wait_for_older_transactions(cursor: object) -> bool:
    """Wait until all transactions that are open now have ended. Returns False if one stays open.

    VACUUM copies an erased row as long as one of them could see it. A transaction that writes to
    another database of the same server counts, too.
    """
    execute = cursor.execute  # type: ignore[attr-defined]
    execute(_NOW)
    moment = cursor.fetchone()  # type: ignore[attr-defined]
    end = time.monotonic() + WAIT_SECONDS
    while True:
        execute(_OLDER_ARE_OPEN, moment)
        (are_open,) = cursor.fetchone()  # type: ignore[attr-defined]
        if not are_open:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
