"""Removes traces of deleted rows from the database files, as far as the database allows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.contrib.admin.models import LogEntry
from django.db import connection

from compliance.models import DataKey
from compliance.security import data_map

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
    """The result of `vacuum`.

    `is_complete` is false if an erased row may still be in a file. `has_statistics`: the statistics were
    replaced, and their old rows are still in the file: only the owner of the database can rewrite it.
    """

    tables: list[str]
    is_complete: bool = True
    has_statistics: bool = False


def vacuum() -> Vacuum:
    """On PostgreSQL, rewrite the tables with erased rows.

    A plain VACUUM marks the space of an erased row as free, and leaves its bytes in the file. FULL
    copies the other rows into a new file. Meanwhile the table is locked, and the disk holds both files.
    ANALYZE replaces the statistics of the planner, which quote values of the rows.
    """
    if connection.vendor != "postgresql":
        remove()
        return Vacuum([])
    # The erased keys of cases decrypt the rows of older backups, and the log of the admin has texts
    # about cases.
    names = [DataKey._meta.db_table, LogEntry._meta.db_table]
    for table in data_map.of_app("reviews", "webhooks", "agenthub"):
        if table.is_changed:
            names.append(table.cls._meta.db_table)
    with connection.cursor() as cursor:
        # A large table takes longer than a request may.
        cursor.execute("SET statement_timeout = 0")
        is_complete = _wait_for_older_transactions(cursor)
        for name in names:
            table_name = connection.ops.quote_name(name)
            cursor.execute(f"VACUUM (FULL, ANALYZE) {table_name}")
        cursor.execute(_IS_OWNER)
        (is_owner,) = cursor.fetchone()
        if is_owner:
            # A transaction that began since then could see the statistics that were replaced.
            is_complete = _wait_for_older_transactions(cursor) and is_complete
            cursor.execute("VACUUM (FULL) pg_catalog.pg_statistic")
        cursor.execute("RESET statement_timeout")
    return Vacuum(names, is_complete, has_statistics=not is_owner)


# A superuser has each role.
_IS_OWNER = """
    SELECT pg_has_role(datdba, 'USAGE') FROM pg_database
    WHERE datname = current_database()"""


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
