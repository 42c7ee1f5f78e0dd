"""The index of all active lists, on the hub's tables; the same on SQLite and PostgreSQL."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cached_property

from django.db import connection
from django.utils.timezone import now

from agenthub.models.lists import ListEntity, ListIdentifier, ListVersion
from checks.screening import records
from checks.screening.lists import Candidate, Listed
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import Name
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Entity, Identifier, ListedName

# A key that more names have is not read: too many names have it to tell them apart.
MOST_NAMES = 20_000


class DatabaseLists:
    """The lists as they are active when it is made: one job sees one state of them.

    `brought_by`: of the list of this version alone, and there of what that version added or changed
    and still stands.
    """

    def __init__(self, *, brought_by: int | None = None) -> None:
        self._brought_by = brought_by

    @cached_property
    def _active(self) -> dict[int, records.ListVersion]:
        rows = ListVersion.objects.filter(status=ListVersion.Status.ACTIVE)
        if self._brought_by is not None:
            rows = rows.filter(source__versions=self._brought_by)
        return {row.pk: to_record(row) for row in rows.select_related("source").order_by("pk")}

    @cached_property
    def _total(self) -> int:
        rows = ListVersion.objects.filter(pk__in=self._active).values_list("name_count", flat=True)
        return max(1, sum(rows))

    def versions(self, topics: Collection[str] = ()) -> Sequence[records.ListVersion]:
        wanted = {*topics}
        return [one for one in self._active.values() if not wanted or wanted & {*one.topics}]

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        versions = [one.version for one in self.versions(topics)]
        wanted = blocking_keys.of_query(name)
        if not versions or not wanted:
            return []
        found = [
            blocking_keys.Posting(wanted[key], _numbers(names))
            for key, names in _postings(list(wanted), versions)
            if names is not None
        ]
        return _candidates(blocking_keys.rank(found, total=self._total, limit=limit))

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        values = [one.normalised for one in identifiers if one.normalised]
        sources = [one.slug for one in self.versions(topics)]
        rows = ListIdentifier.objects.filter(
            value__in=values,
            entity__last_version=None,
            entity__source__slug__in=sources,
            entity__first_version__status__in=[
                ListVersion.Status.ACTIVE, ListVersion.Status.RETIRED
            ],
        )  # fmt: skip
        return [(r.entity_id, Identifier(r.type, r.value, r.country)) for r in rows]  # type: ignore[arg-type]

    def entities(self, numbers: Collection[int]) -> Mapping[int, Listed]:
        if not numbers:
            return {}
        by_source = {one.slug: one for one in self._active.values()}
        rows = ListEntity.objects.filter(pk__in=numbers)
        if self._brought_by is not None:
            rows = rows.filter(first_version=self._brought_by, last_version=None)
        return {
            pk: Listed(Entity.from_wire(content), by_source[slug])
            for pk, content, slug in rows.values_list("pk", "content", "source__slug")
            if slug in by_source
        }


def to_record(row: ListVersion) -> records.ListVersion:
    """As the engine sees it. One that another engine indexed is stale: names could be missed."""
    source = row.source
    is_old = row.loaded_at < now() - timedelta(days=source.max_age_days)
    return records.ListVersion(
        slug=source.slug,
        title=source.title,
        version=row.pk,
        published_at=row.published_at,
        loaded_at=row.loaded_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        sha256=row.sha256,
        entities=row.entity_count,
        is_stale=is_old or row.engine_version != ENGINE_VERSION,
        topics=tuple(row.topics),
    )


def _numbers(names: bytes | memoryview) -> array[int]:
    found: array[int] = array("Q")
    found.frombytes(names)
    return found


def _postings(
    wanted: Sequence[int], versions: Sequence[int]
) -> list[tuple[int, bytes | memoryview | None]]:
    """The postings of the keys; None for one of too many names."""
    marks, of = ", ".join(["%s"] * len(wanted)), ", ".join(["%s"] * len(versions))
    sql = (
        f"SELECT key, CASE WHEN count <= {MOST_NAMES} THEN names END FROM agenthub_listposting"  # noqa: S608
        f" WHERE key IN ({marks}) AND version_id IN ({of})"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*wanted, *versions])
        return list(cursor.fetchall())


def _candidates(numbers: Sequence[int]) -> list[Candidate]:
    """The names of these ids, in their order."""
    if not numbers:
        return []
    marks = ", ".join(["%s"] * len(numbers))
    columns = "id, entity_id, text, kind, tokens, script, person"
    sql = f"SELECT {columns} FROM agenthub_listname WHERE id IN ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, list(numbers))
        found = {
            row[0]: Candidate(
                row[1],
                ListedName(row[2], row[3]),
                Name.read(row[4], row[5], person=bool(row[6])),
            )
            for row in cursor.fetchall()
        }
    return [found[number] for number in numbers if number in found]
