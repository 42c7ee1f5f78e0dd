"""Loads a list: staged, judged, then swapped in at once. What stood before stays until then."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.db import IntegrityError, connection, transaction
from django.utils.timezone import now

from agenthub.models.lists import (
    ListEntity,
    ListName,
    ListPosting,
    ListSource,
    ListVersion,
    Rescreening,
)
from agenthub.screening import formats, held, plausibility
from agenthub.screening.formats import Header, ListError, Options
from agenthub.screening.postings import Postings
from checks.screening.lists import parsed
from checks.screening.matching import blocking_keys, names
from checks.screening.matching.names import Name
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Entity
from compliance.work import notify

log = logging.getLogger(__name__)

QUEUE = "agenthub.tasks.rescreen"
BATCH = 2000
# A load that was cut off is forgotten after this long.
ABANDONED = timedelta(hours=2)
MOST_NAMELESS = 0.01
# What entries tell beside their names. Where more than half of it is gone, the layout has changed:
# what is left would be searched in vain for it, and nobody would know.
TOLD, FEWEST_TOLD, MOST_UNTOLD = ("birth_dates", "identifiers", "programs"), 5, 0.5

Progress = Callable[[str], object]
T = TypeVar("T")


@dataclass
class _Staged:
    """What was read so far."""

    version: ListVersion
    standing: dict[str, tuple[int, str]]  # by external id: row and content hash
    # Of each entry that was read, by its key: a short mark of its content.
    seen: dict[str, int] = field(default_factory=dict)
    repeated: int = 0  # entries that stand in the file a second time, and count once
    kept: list[int] = field(default_factory=list)
    added: int = 0
    changed: int = 0
    topics: set[str] = field(default_factory=set)
    told: Counter[str] = field(default_factory=Counter)  # how many entries tell what


def load(
    source: ListSource, path: Path, *, force: bool = False, progress: Progress = lambda _: None
) -> ListVersion:
    """Load a file as the new active version of a list.

    `force` takes a file in that would be held for a person, or shrank. Raises ListError, with
    the active version untouched, where the file cannot be read or is not sound.
    """
    digest, size = _digest(path)
    if not force:
        held.refuse_again(source, digest)
    version = _begin(source, path, sha256=digest, size=size)
    header = Header()
    try:
        staged = _stage(version, path, header, progress)
        _judge(staged, header, force=force)
        _count_rows()
        progress("building the index")
        name_count = _index(staged)
        _activate(staged, header, name_count)
    except ListError as exc:
        _reject(version, str(exc))
        if isinstance(exc, held.HeldError):
            held.keep(version, path)
        raise
    except BaseException:
        _reject(version, "The load was interrupted.")
        raise
    held.discard(source)
    log.info("list %s: version %s is active", source.slug, version.pk)
    return version


def _begin(source: ListSource, path: Path, *, sha256: str, size: int) -> ListVersion:
    for old in source.versions.filter(status=ListVersion.Status.STAGING):
        if old.loaded_at < now() - ABANDONED:
            _reject(old, "The load was interrupted.")
    try:
        with transaction.atomic():
            return ListVersion.objects.create(
                source=source, file_name=path.name[:255], sha256=sha256, size=size,
                engine_version=ENGINE_VERSION,
            )  # fmt: skip
    except IntegrityError as exc:
        raise ListError("This list is being loaded already.") from exc


def _digest(path: Path) -> tuple[str, int]:
    """Of a folder, that of its files in order."""
    digest, size = hashlib.sha256(), 0
    try:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            with file.open("rb") as stream:
                while piece := stream.read(1 << 20):
                    digest.update(piece)
                    size += len(piece)
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    return digest.hexdigest(), size


def _stage(version: ListVersion, path: Path, header: Header, progress: Progress) -> _Staged:
    source = version.source
    rows = ListEntity.objects.filter(source=source, last_version=None)
    known = rows.exclude(first_version=version).values_list("external_id", "pk", "content_hash")
    staged = _Staged(version, {key: (pk, digest) for key, pk, digest in known.iterator()})
    options = Options(columns=source.columns, topics=source.topics or ["sanction"])
    found = formats.read(path, format=source.format, header=header, options=options)
    for batch in _batches(found, BATCH):
        with transaction.atomic():
            _insert(staged, [(key, one) for one in batch if (key := _new_key(staged, one))])
        progress(f"{len(staged.seen):,} entries")
    active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    if active and active.engine_version != ENGINE_VERSION:
        _read_names_anew(staged)
    return staged


def _read_names_anew(staged: _Staged) -> None:
    """An engine that reads names in another way reads those of kept entries, too; ids stay."""
    kept = set(staged.kept)
    rows = ListName.objects.filter(
        entity__source=staged.version.source_id, entity__last_version=None
    )
    fields = ("pk", "entity_id", "text", "person", "tokens", "script")
    changed = []
    for pk, entity, text, person, *known in rows.values_list(*fields).iterator(chunk_size=5000):
        name = names.parse(text, person=person)
        read = [name.text, name.script]
        if entity in kept and read != known:
            changed.append((*read, pk))
    with transaction.atomic(), connection.cursor() as cursor:
        sql = "UPDATE agenthub_listname SET tokens = %s, script = %s WHERE id = %s"
        for batch in _batches(changed, BATCH):
            cursor.executemany(sql, batch)


def _new_key(staged: _Staged, entity: Entity) -> str:
    """Its key, where the entry is new or has changed; "" where it stands as it is, or was read
    before in this file."""
    mark = hash(entity.content_hash)
    if staged.seen.get(entity.id[:190]) == mark:
        staged.repeated += 1
        return ""
    key = _key(staged, entity)
    staged.seen[key] = mark
    staged.topics.update(entity.topics)
    staged.told.update(name for name in TOLD if getattr(entity, name))
    known = staged.standing.get(key)
    if known is None:
        staged.added += 1
        return key
    if known[1] == entity.content_hash:
        staged.kept.append(known[0])
        return ""
    staged.changed += 1
    return key


def _key(staged: _Staged, entity: Entity) -> str:
    """Its id. Should a file give one id to two entries, the second gets a number."""
    key, number = entity.id[:190], 1
    while key in staged.seen:
        number += 1
        key = f"{entity.id[:190]}#{number}"
    return key


def _insert(staged: _Staged, new: Sequence[tuple[str, Entity]]) -> None:
    version = staged.version
    rows = ListEntity.objects.bulk_create(
        ListEntity(
            source_id=version.source_id,
            external_id=key,
            content_hash=entity.content_hash,
            content=entity.to_wire(),
            first_version=version,
        )
        for key, entity in new
    )
    with_rows = [(row.pk, entity) for row, (_, entity) in zip(rows, new, strict=True)]
    insert(
        "agenthub_listname (entity_id, kind, text, tokens, script, person)",
        (said for pk, entity in with_rows for said in _names(pk, entity)),
    )
    insert(
        "agenthub_listidentifier (entity_id, value, type, country)",
        (
            (pk, one.normalised[:200], one.type, one.country[:2])
            for pk, entity in with_rows
            for one in entity.identifiers
            if one.normalised
        ),
    )


def _names(pk: int, entity: Entity) -> Iterator[tuple[int, str, str, str, str, bool]]:
    for listed in entity.names:
        for name in parsed(listed, entity):
            yield pk, listed.kind, listed.text, name.text, name.script, name.person


def _judge(staged: _Staged, header: Header, *, force: bool) -> None:
    """Raises ListError where the file does not look whole."""
    count = len(staged.seen)
    if not count:
        raise ListError("The file holds no entry.")
    stated = header.record_count
    if stated is not None and stated != count + header.nameless + staged.repeated:
        raise ListError(f"The file says that it holds {stated:,} entries, and holds {count:,}.")
    if header.nameless > max(2, MOST_NAMELESS * count):
        raise ListError(f"{header.nameless:,} of {count:,} entries have no name.")
    before = len(staged.standing)
    least = before * (1 - staged.version.source.max_shrink)
    if count < least and not force:
        raise ListError(
            f"The file holds {count:,} entries, the active version {before:,}: it shrank by "
            f"{1 - count / before:.0%}. If that is right, load it with --force."
        )
    if not force:
        _judge_told(staged)
        _hold(staged, header)


def _hold(staged: _Staged, header: Header) -> None:
    """Raises HeldError where a person must look before this becomes the active version."""
    kept = set(staged.kept)
    removed = len([key for key in staged.standing if key not in staged.seen])
    judged = plausibility.Staged(
        staged.version, header.published_at, kept, len(staged.standing),
        staged.added, staged.changed, removed, len(staged.seen), staged.repeated,
    )  # fmt: skip
    if reasons := plausibility.reasons(judged):
        stays = "The active version stays" if staged.standing else "No version is active"
        raise held.HeldError(
            f"Held for a person: {' '.join(reasons)} {stays}. If that is right, release it on the "
            "page of the list, or load it with --accept."
        )


def _judge_told(staged: _Staged) -> None:
    active = staged.version.source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    for name, before in (active.changes.get("told") or {} if active else {}).items():
        if before >= FEWEST_TOLD and staged.told[name] < before * MOST_UNTOLD:
            raise ListError(
                f"{staged.told[name]:,} entries tell {name.replace('_', ' ')}, {before:,} of the active "
                "version did: another layout? If that is right, load it with --force."
            )


def _index(staged: _Staged) -> int:
    """Write the postings of the version. Returns the number of names.

    The names are read twice, and none is kept: a million of them are a gigabyte.
    """
    found, count = Postings(), 0
    for count, (pk, name) in enumerate(_rows_of_names(staged), start=1):  # noqa: B007
        found.add(blocking_keys.of_name(name), pk)
    common = found.common(blocking_keys.COMMON)
    for pk, name in _rows_of_names(staged):
        found.add(blocking_keys.of_pairs(name, common), pk)
    with transaction.atomic():
        insert(
            "agenthub_listposting (version_id, key, count, names)",
            ((staged.version.pk, *row) for row in found.rows()),
        )
    return count


def insert(columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Past the ORM: half of the time of a load would be spent on making rows of objects.

    `columns` is the table with its columns in brackets, and never from outside.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {columns} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * (columns.count(",") + 1))
        for batch in _batches(rows, 20_000):
            cursor.executemany(f"INSERT INTO {columns} VALUES ({marks})", batch)  # noqa: S608


def _count_rows() -> None:
    """PostgreSQL plans by what it last counted, which a load of this second is no part of: it took
    a million names for a handful, and looked through all entries for each."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE agenthub_listentity, agenthub_listname")


def _rows_of_names(staged: _Staged) -> Iterator[tuple[int, Name]]:
    """The names of the entries that stand in this version, by id."""
    kept = set(staged.kept)
    version = staged.version
    rows = ListName.objects.filter(entity__source=version.source_id, entity__last_version=None)
    fields = ("pk", "tokens", "script", "person", "entity_id", "entity__first_version_id")
    for pk, tokens, script, person, entity, first in (
        rows.order_by("pk").values_list(*fields).iterator(chunk_size=5000)
    ):
        if first == version.pk or entity in kept:
            yield pk, Name.read(tokens, script, person=person)


def _activate(staged: _Staged, header: Header, name_count: int) -> None:
    version, source = staged.version, staged.version.source
    kept = set(staged.kept)
    gone = [pk for pk, _ in staged.standing.values() if pk not in kept]
    removed = len([key for key in staged.standing if key not in staged.seen])
    with transaction.atomic():
        active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
        if active is not None:
            active.move(ListVersion.Status.RETIRED)
            for batch in _batches(iter(gone), 500):
                ListEntity.objects.filter(pk__in=batch).update(last_version=active)
        version.move(
            ListVersion.Status.ACTIVE,
            published_at=header.published_at,
            entity_count=len(staged.seen),
            name_count=name_count,
            topics=sorted(staged.topics),
            changes={
                "added": staged.added,
                "changed": staged.changed,
                "removed": removed,
                "told": dict(staged.told),
            },
        )
        if staged.added or staged.changed:
            Rescreening.objects.create(version=version)
            notify.after_commit(QUEUE)
    # The index of what was replaced is of no more use.
    ListPosting.objects.filter(version__source=source).exclude(version=version).delete()


def _reject(version: ListVersion, note: str) -> None:
    with transaction.atomic():
        if version.move(ListVersion.Status.REJECTED, note=note):
            ListPosting.objects.filter(version=version).delete()
            ListEntity.objects.filter(first_version=version).delete()


def _batches(found: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(found)
    while batch := list(islice(rest, size)):
        yield batch
