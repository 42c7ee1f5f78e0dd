"""Writes rows of the index past the ORM, many at a time."""

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
    """Past the ORM: half of the time of a load would be spent on making rows of objects.

    `columns` is the table with its columns in brackets, and never from outside.
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
    """Write words and script of names, by their ids. The ORM would send one long CASE."""
    sql = "UPDATE agenthub_listname SET tokens = %s, script = %s WHERE id = %s"
    with connection.cursor() as cursor:
        cursor.executemany(sql, rows)


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def count_rows() -> None:
    """PostgreSQL plans by its last statistics, which are older than the rows of this load. With
    them it read all entries for each name."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE agenthub_listentity, agenthub_listname")


def names_of(
    version: ListVersion, is_in_version: Callable[[int, int], bool]
) -> Iterator[tuple[int, Name]]:
    """The names of the entries of a version, by id. `is_in_version` is asked with an entry, and with
    the version that brought it."""
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

    The names are read twice, and never held together: a million of them are a gigabyte.
    """
    postings = Postings()
    count = 0
    for pk, name in names():
        postings.add(blocking_keys.of_name(name), pk)
        count += 1
    common = postings.common(blocking_keys.COMMON)
    for pk, name in names():
        postings.add(blocking_keys.of_pairs(name, common), pk)
    rows = ((version.pk, *row) for row in postings.rows())
    with transaction.atomic():
        insert("agenthub_listposting (version_id, key, count, names)", rows)
    return count
