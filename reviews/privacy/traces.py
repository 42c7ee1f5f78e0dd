"""Removes traces of deleted rows from the database files, as far as the database allows."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.db import connection

from compliance.models import DataKey
from compliance.security import data_map
from compliance.security.data_map import Act

# Steps of merging the search index. Each is a transaction of its own, so that others can write
# in between.
STEPS = 200
PAGES = 200  # pages of the index merged in one step


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


def vacuum() -> list[str]:
    """On PostgreSQL, rewrite the tables with erased rows. Returns the names of these tables.

    A plain VACUUM frees the room of an erased row in its page, and leaves its bytes there. FULL copies
    what is left into a new file. Each table is locked meanwhile, and needs room for its copy.
    """
    if connection.vendor != "postgresql":
        remove()
        return []
    # The erased keys of cases open what older copies of the other tables hold, and the log of the
    # admin has words about cases.
    names = [DataKey._meta.db_table, LogEntry._meta.db_table]
    for table in data_map.of_app("reviews", "webhooks", "agenthub"):
        if table.act is not Act.STAY:
            names.append(table.cls._meta.db_table)
    with connection.cursor() as cursor:
        # A large table takes longer than a request may.
        cursor.execute("SET statement_timeout = 0")
        for name in names:
            cursor.execute(f"VACUUM (FULL) {connection.ops.quote_name(name)}")
        cursor.execute("RESET statement_timeout")
    return names
