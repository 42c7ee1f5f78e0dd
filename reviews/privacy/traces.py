"""What a database keeps of rows that are gone: removed as far as the database lets us."""

from __future__ import annotations

from django.db import connection

from compliance.security import data_map
from compliance.security.data_map import Act

# Steps of the merge of the search index, each a transaction of its own: others write in between.
STEPS = 200
PAGES = 200  # of the index, that a step merges


def remove() -> bool:
    """On SQLite: merge the search index, and empty the write-ahead log into the database, where freed
    pages are zeros (`secure_delete`). Returns False where a reader holds up the log: then it is emptied
    by a later call, or by itself. On PostgreSQL nothing: there `vacuum` is for an administrator.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return False
    with connection.cursor() as cursor:
        _merge_search_index(cursor)
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, _, _ = cursor.fetchone()
    return not busy


def _merge_search_index(cursor: object) -> None:
    """A removed text stays in the index as parts of three letters until its segments are merged."""
    execute = cursor.execute  # type: ignore[attr-defined]
    for step in range(STEPS):
        # Negative: begin a whole merge; then go on with it.
        pages = -PAGES if step == 0 else PAGES
        before = _changes(cursor)
        execute(
            "INSERT INTO reviews_search (reviews_search, rank) VALUES ('merge', %s)",
            [pages],
        )
        # FTS5 counts the statement itself as one change or two: fewer mean that nothing was merged.
        if _changes(cursor) - before < 2:
            return


def _changes(cursor: object) -> int:
    cursor.execute("SELECT total_changes()")  # type: ignore[attr-defined]
    (count,) = cursor.fetchone()  # type: ignore[attr-defined]
    return int(count)


def vacuum() -> list[str]:
    """On PostgreSQL: VACUUM the tables with personal data. Returns their names."""
    if connection.vendor != "postgresql":
        remove()
        return []
    names = []
    for table in data_map.of_app("reviews", "webhooks", "agenthub"):
        if table.act is not Act.STAY:
            names.append(table.cls._meta.db_table)
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"VACUUM {connection.ops.quote_name(name)}")
    return names
