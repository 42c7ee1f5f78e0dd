"""Bulk writes to the index without the ORM."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from django.db import connection, transaction

from agenthub.models.lists import ListName, ListVersion
from agenthub.screening.indexing.postings import Postings
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import Name

BATCH = 2000
T = TypeVar("T")


def insert(columns: str, rows: Iterable[tuple[str | int | bytes | None, ...]]) -> None:
    """Insert rows. The ORM would spend half of the time of a load on creating objects.

    `columns` is the table with its columns in brackets. It becomes part of the SQL, so it must
    never come from outside.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {columns} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        width = columns.count(",") + 1
        marks = ", ".join(["%s"] * width)
        for batch in batches(rows, 20_000):
            cursor.executemany(f"INSERT INTO {columns} VALUES ({marks})", batch)  # noqa: S608


def update_names(rows: Sequence[tuple[str, str, int]]) -> None:
    """Update tokens and script of names; rows are (tokens, script, id).

    The ORM would send one long CASE.
    """
    sql = "UPDATE agenthub_listname SET tokens = %s, script = %s WHERE id = %s"
    with connection.cursor() as cursor:
        cursor.executemany(sql, rows)


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def count_rows() -> None:
    """Update the statistics of PostgreSQL's planner after a load.

    They were older than the loaded rows, and with them PostgreSQL read all entries for each
    name."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE agenthub_listentity, agenthub_listname")


def names_of(
    version: ListVersion, is_in_version: Callable[[int, int], bool]
) -> Iterator[tuple[int, Name]]:
    """The names of the entries of a version: (id, name).

    `is_in_version(entity, first_version)` decides by the ids of an entry and of the version that
    added it."""
    rows = ListName.objects.filter(
        entity__source=version.source_id, entity__last_version=None
    )
    columns = rows.order_by("pk").values_list(
        "pk", "tokens", "script", "person", "entity_id", "entity__first_version_id"
    )
    for pk, tokens, script, person, entity, first in columns.iterator(chunk_size=5000):
        if is_in_version(entity, first):
            yield pk, Name.read(tokens, script, person=person)


def write_postings(
    version: ListVersion, names: Callable[[], Iterable[tuple[int, Name]]]
) -> int:
    """Write the postings of a version. Returns the number of names.

    `names` is called twice: see `collect_postings`.
    """
    postings, count = collect_postings(names)
    rows = ((version.pk, *row) for row in postings.rows())
    with transaction.atomic():
        insert("agenthub_listposting (version_id, key, count, names)", rows)
    return count


def collect_postings(
    names: Callable[[], Iterable[tuple[int, Name]]],
) -> tuple[Postings, int]:
    """The postings of the names, and the number of names.

    `names` is called twice, so that the names never need to be in memory together: a million of
    them take a gigabyte.
    """
    postings = Postings()
    count = 0
    # First pass: the keys of single words.
    for pk, name in names():
        postings.add(blocking_keys.of_name(name), pk)
        count += 1
    common = postings.common(blocking_keys.COMMON)
    # Second pass: words that very many names share are useful only in pairs.
    for pk, name in names():
        postings.add(blocking_keys.of_pairs(name, common), pk)
    return postings, count
