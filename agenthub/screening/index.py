"""The search index over all active lists, in the hub's tables; for SQLite and PostgreSQL alike."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cached_property

from django.db import connection
from django.utils.timezone import now

from agenthub.models.lists import ListEntity, ListIdentifier, ListVersion
from checks.screening import readable, records
from checks.screening.lists import Candidate, ListEntry
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import Name
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Entity, Identifier, ListedName

# A key that more names share is not read: it hardly distinguishes names, and costs much time.
MOST_NAMES = 20_000


class DatabaseLists:
    """The lists that are active at its first use: one job sees one consistent state.

    `brought_by`: the id of a version. Only its list is searched, and only entries that the version
    added or changed and that are still listed. `slugs`: only these lists, if any is named.
    """

    def __init__(
        self, *, brought_by: int | None = None, slugs: Collection[str] = ()
    ) -> None:
        self._brought_by = brought_by
        self._slugs = slugs

    @cached_property
    def _active(self) -> dict[int, records.ListVersion]:
        rows = ListVersion.objects.filter(status=ListVersion.Status.ACTIVE)
        if self._brought_by is not None:
            rows = rows.filter(source__versions=self._brought_by)
        if self._slugs:
            rows = rows.filter(source__slug__in=self._slugs)
        rows = rows.select_related("source").order_by("pk")
        return {row.pk: to_record(row) for row in rows}

    @cached_property
    # At least 1: it is a divisor.
    def _total(self) -> int:
        rows = ListVersion.objects.filter(pk__in=self._active)
        return max(1, sum(rows.values_list("name_count", flat=True)))

    def versions(self, topics: Collection[str] = ()) -> Sequence[records.ListVersion]:
        versions = list(self._active.values())
        if not topics:
            return versions
        return [version for version in versions if {*topics} & {*version.topics}]

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        versions = []
        for version in self.versions(topics):
            versions.append(version.version)
        weights = blocking_keys.of_query(name)
        if not versions or not weights:
            return []
        postings = []
        for key, names in _postings(list(weights), versions):
            if names is not None:
                postings.append(blocking_keys.Posting(weights[key], _numbers(names)))
        numbers = blocking_keys.rank(postings, total=self._total, limit=limit)
        return _candidates(numbers)

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        values = [
            identifier.normalised for identifier in identifiers if identifier.normalised
        ]
        sources = []
        for version in self.versions(topics):
            sources.append(version.slug)
        statuses = [ListVersion.Status.ACTIVE, ListVersion.Status.RETIRED]
        rows = ListIdentifier.objects.filter(
            value__in=values,
            entity__last_version=None,
            entity__source__slug__in=sources,
            entity__first_version__status__in=statuses,
        )
        return [
            (row.entity_id, Identifier(row.type, row.value, row.country))  # type: ignore[arg-type]
            for row in rows
        ]

    def entities(self, numbers: Collection[int]) -> Mapping[int, ListEntry]:
        if not numbers:
            return {}
        rows = ListEntity.objects.filter(pk__in=numbers)
        if self._brought_by is not None:
            rows = rows.filter(first_version=self._brought_by, last_version=None)
        version_by_slug = {}
        for version in self._active.values():
            version_by_slug[version.slug] = version
        entities: dict[int, ListEntry] = {}
        for pk, content, slug in rows.values_list("pk", "content", "source__slug"):
            if slug in version_by_slug:
                entities[pk] = ListEntry(
                    Entity.from_wire(content), version_by_slug[slug]
                )
        return entities


def to_record(row: ListVersion) -> records.ListVersion:
    """The version as the engine sees it.

    If another engine indexed it, it is stale: names could be missed.
    """
    source = row.source
    max_age = timedelta(days=source.max_age_days)
    is_old = row.loaded_at < now() - max_age
    loaded_at = row.loaded_at.isoformat(timespec="seconds")
    return records.ListVersion(
        slug=source.slug,
        title=source.title,
        version=row.pk,
        published_at=row.published_at,
        loaded_at=loaded_at.replace("+00:00", "Z"),
        sha256=row.sha256,
        entities=row.entity_count,
        is_stale=is_old or row.engine_version != ENGINE_VERSION,
        topics=tuple(row.topics),
        engine=row.engine_version,
        other_letters=row.changes.get(readable.OTHER_LETTERS, 0),
        unreadable_people=row.changes.get(readable.UNREADABLE_PEOPLE, 0),
    )


def _numbers(content: bytes | memoryview) -> array[int]:
    numbers: array[int] = array("Q")
    numbers.frombytes(content)
    return numbers


def _postings(
    keys: Sequence[int], versions: Sequence[int]
) -> list[tuple[int, bytes | memoryview | None]]:
    """The postings of the keys: key → ids of names; None if too many names share the key."""
    key_marks = ", ".join(["%s"] * len(keys))
    version_marks = ", ".join(["%s"] * len(versions))
    sql = (
        f"SELECT key, CASE WHEN count <= {MOST_NAMES} THEN names END FROM agenthub_listposting"  # noqa: S608
        f" WHERE key IN ({key_marks}) AND version_id IN ({version_marks})"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*keys, *versions])
        return list(cursor.fetchall())


def _candidates(numbers: Sequence[int]) -> list[Candidate]:
    """The names with these ids, in their order."""
    if not numbers:
        return []
    marks = ", ".join(["%s"] * len(numbers))
    columns = "id, entity_id, text, kind, tokens, script, person"
    sql = f"SELECT {columns} FROM agenthub_listname WHERE id IN ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, list(numbers))
        rows = cursor.fetchall()
    candidates: dict[int, Candidate] = {}
    for pk, entity, text, kind, tokens, script, person in rows:
        name = Name.read(tokens, script, person=bool(person))
        candidates[pk] = Candidate(entity, ListedName(text, kind), name)
    return [candidates[number] for number in numbers if number in candidates]
