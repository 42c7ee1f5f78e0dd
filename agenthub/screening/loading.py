"""Loads a list: reads it, checks it, then activates it in one step.

Until then the old version stays.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.db import IntegrityError, transaction
from django.utils.timezone import now

from agenthub.models.lists import (
    HeldVersion,
    ListEntity,
    ListPosting,
    ListReindex,
    ListSource,
    ListVersion,
    Rescreening,
)
from agenthub.screening import formats, held, plausibility
from agenthub.screening.formats import Header, ListError, Options
from agenthub.screening.indexing import entries, verification, writing
from checks.screening import readable
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Entity
from compliance.security import decisive_rows
from compliance.storage import stored_files
from compliance.work import notify

log = logging.getLogger(__name__)

QUEUE = "agenthub.tasks.rescreen"
# A load that was interrupted blocks further loads of the list for this long.
ABANDONED = timedelta(hours=2)
# The largest share of entries without a name.
MOST_NAMELESS = 0.01
# Facts of entries in addition to names: the minimum number of entries with a fact for it to be
# checked, and the share of them that may lose it. If more are lost, the file's layout has changed:
# searches by the fact would fail unnoticed.
FACTS, FEWEST_WITH_FACT, MOST_LOST_FACTS = (
    ("birth_dates", "identifiers", "programs"),
    5,
    0.5,
)

Progress = Callable[[str], object]


@dataclass
class _Staged:
    """The state of a load in progress."""

    version: ListVersion
    # Active entries: external id → (id of the row, content hash).
    active: dict[str, tuple[int, str]]
    # Key of each entry that was read → a short hash of its content.
    hashes: dict[str, int] = field(default_factory=dict)
    repeated: int = 0  # entries that the file repeats; they count once
    same_ids: int = 0  # entries whose id an earlier one has, with other content
    # Ids of the rows of unchanged entries.
    unchanged: list[int] = field(default_factory=list)
    added: int = 0
    changed: int = 0
    topics: set[str] = field(default_factory=set)
    # Fact → number of entries that have it.
    facts: Counter[str] = field(default_factory=Counter)
    # Entries that names in Latin letters may not find, by kind.
    unsure: Counter[str] = field(default_factory=Counter)


def load(
    source: ListSource,
    path: Path,
    *,
    force: bool = False,
    progress: Progress = lambda _: None,
) -> ListVersion:
    """Load a file as the new active version of a list.

    `force` accepts a file that shrank or would be held for a person's decision. `progress` gets
    short texts. Raises ListError if the file cannot be read or is not plausible, and HeldError if
    the version is held; the active version then stays.
    """
    # A held file that is fetched again would only repeat the same reasons.
    digest, size = _digest(path)
    if not force:
        held.refuse_again(source, digest)
    version = _begin(source, path, sha256=digest, size=size)
    header = Header()
    try:
        staged = _stage(version, path, header, progress)
        _judge(staged, header, force=force)
        writing.count_rows()
        progress("building the index")
        name_count = _index(staged)
        digest_of_entries = _digest_of_entries(staged)
        _activate(staged, header, name_count, digest_of_entries)
    except ListError as exc:
        # Remove the staged rows; the version stays as a record of the failure.
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


def load_held(row: HeldVersion) -> None:
    """Load a held version that a person released. If that fails, it is held again, with the reason."""
    try:
        with held.copy(row) as path:
            load(
                row.version.source,
                path,
                force=True,
                progress=lambda _: row.heartbeat(held.LEASE),
            )
    except (ListError, stored_files.StoredError) as exc:
        held.give_up(row, str(exc))
        return
    held.end(row)


def _begin(source: ListSource, path: Path, *, sha256: str, size: int) -> ListVersion:
    oldest = now() - ABANDONED
    for old in source.versions.filter(status=ListVersion.Status.STAGING):
        if old.loaded_at < oldest:
            _reject(old, "The load was interrupted.")
    try:
        with transaction.atomic():
            return ListVersion.objects.create(
                source=source,
                file_name=path.name[:255],
                sha256=sha256,
                size=size,
                engine_version=ENGINE_VERSION,
            )
    except IntegrityError as exc:
        # A constraint allows one version per list in the status "staging".
        raise ListError("This list is being loaded already.") from exc


def _digest(path: Path) -> tuple[str, int]:
    """The SHA-256 and the size of a file, or of all files of a folder in order."""
    digest = hashlib.sha256()
    size = 0
    try:
        if path.is_dir():
            files = sorted(path.iterdir())
        else:
            files = [path]
        for file in files:
            with file.open("rb") as stream:
                while piece := stream.read(1 << 20):
                    digest.update(piece)
                    size += len(piece)
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    return digest.hexdigest(), size


def _stage(
    version: ListVersion, path: Path, header: Header, progress: Progress
) -> _Staged:
    source = version.source
    rows = ListEntity.objects.filter(source=source, last_version=None)
    rows = rows.exclude(first_version=version)
    columns = rows.values_list("external_id", "pk", "content_hash")
    active_entries = {key: (pk, digest) for key, pk, digest in columns.iterator()}
    staged = _Staged(version, active_entries)
    options = Options(columns=source.columns, topics=source.topics or ["sanction"])
    # Read the file lazily, and write it in batches: a large list does not fit into memory.
    entities = formats.read(
        path,
        format=source.format,
        header=header,
        options=options,
    )
    for batch in writing.batches(entities, writing.BATCH):
        new_entities = []
        for entity in batch:
            key = _new_key(staged, entity)
            if key:
                new_entities.append((key, entity))
        with transaction.atomic():
            _insert(staged, new_entities)
        progress(f"{len(staged.hashes):,} entries")
    # A new engine reads names differently: also update the rows of unchanged entries.
    active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    if active and active.engine_version != ENGINE_VERSION:
        entries.renew(source, progress=lambda _: progress("reading names again"))
    return staged


def _new_key(staged: _Staged, entity: Entity) -> str:
    """The key of an entry to insert because it is new or changed.

    Empty: it is unchanged, or repeated.
    """
    content_hash = hash(entity.content_hash)
    if staged.hashes.get(entity.id[:190]) == content_hash:
        staged.repeated += 1
        return ""
    key = _key(staged, entity)
    staged.same_ids += key != entity.id[:190]
    staged.hashes[key] = content_hash
    staged.topics.update(entity.topics)
    staged.facts.update(name for name in FACTS if getattr(entity, name))
    staged.unsure.update(readable.kinds(entity))
    if key not in staged.active:
        staged.added += 1
        return key
    pk, active_hash = staged.active[key]
    if active_hash == entity.content_hash:
        staged.unchanged.append(pk)
        return ""
    staged.changed += 1
    return key


def _key(staged: _Staged, entity: Entity) -> str:
    """The key of an entry: its id. If a file uses an id for several entries, a number is added."""
    key = entity.id[:190]
    number = 1
    while key in staged.hashes:
        number += 1
        key = f"{entity.id[:190]}#{number}"
    return key


def _insert(staged: _Staged, new_entities: Sequence[tuple[str, Entity]]) -> None:
    version = staged.version
    rows = ListEntity.objects.bulk_create(
        ListEntity(
            source_id=version.source_id,
            external_id=key,
            content_hash=entity.content_hash,
            content=entity.to_wire(),
            first_version=version,
        )
        for key, entity in new_entities
    )
    pairs = zip(rows, new_entities, strict=True)
    entries.insert_all({row.pk: entity for row, (_, entity) in pairs})


def _judge(staged: _Staged, header: Header, *, force: bool) -> None:
    """Raises ListError if the file does not look complete, HeldError if a person must decide."""
    count = len(staged.hashes)
    if not count:
        raise ListError("The file holds no entry.")
    record_count = header.record_count
    if (
        record_count is not None
        and record_count != count + header.nameless + staged.repeated
    ):
        raise ListError(
            f"The file says that it holds {record_count:,} entries, and holds {count:,}."
        )
    if header.nameless > max(2, MOST_NAMELESS * count):
        raise ListError(f"{header.nameless:,} of {count:,} entries have no name.")
    if force:
        return
    before = len(staged.active)
    least = before * (1 - staged.version.source.max_shrink)
    if count < least:
        raise ListError(
            f"The file holds {count:,} entries, the active version {before:,}: it shrank by "
            f"{1 - count / before:.0%}. If that is right, load it with --force."
        )
    _judge_facts(staged)
    _hold(staged, header)


def _hold(staged: _Staged, header: Header) -> None:
    """Raises HeldError if a person must decide before this becomes the active version."""
    version = plausibility.Staged(
        version=staged.version,
        published_at=header.published_at,
        unchanged=set(staged.unchanged),
        before=len(staged.active),
        added=staged.added,
        changed=staged.changed,
        removed=_count_of_removed(staged),
        count=len(staged.hashes),
        repeated=staged.repeated,
        same_ids=staged.same_ids,
    )
    reasons = plausibility.reasons(version)
    if reasons:
        stays = "The active version stays" if staged.active else "No version is active"
        raise held.HeldError(
            f"Held for a person: {' '.join(reasons)} {stays}. If that is right, release it on the "
            "page of the list, or load it with --accept."
        )


def _count_of_removed(staged: _Staged) -> int:
    return len(staged.active.keys() - staged.hashes.keys())


def _judge_facts(staged: _Staged) -> None:
    # Compare with the active version: how many of its entries had each fact.
    active = staged.version.source.versions.filter(
        status=ListVersion.Status.ACTIVE
    ).first()
    if active is None:
        return
    for name, before in (active.changes.get("told") or {}).items():
        count = staged.facts[name]
        if before >= FEWEST_WITH_FACT and count < before * MOST_LOST_FACTS:
            raise ListError(
                f"{count:,} entries tell {name.replace('_', ' ')}, {before:,} of the active "
                "version did: another layout? If that is right, load it with --force."
            )


def _index(staged: _Staged) -> int:
    """Write the postings of the version. Returns the number of its names."""
    unchanged = set(staged.unchanged)
    version = staged.version

    def is_in_version(entity: int, first: int) -> bool:
        return first == version.pk or entity in unchanged

    return writing.write_postings(
        version, lambda: writing.names_of(version, is_in_version)
    )


def _digest_of_entries(staged: _Staged) -> str:
    """The digest of the entries of the version, old and new.

    The stored hash of an old entry is that of the file, or it would have been inserted anew.
    """
    unchanged = set(staged.unchanged)
    columns = verification.entities_of(staged.version).values_list(
        "pk", "first_version_id", "external_id", "content_hash"
    )
    return verification.digest_of_entries(
        (external_id, content_hash)
        for pk, first, external_id, content_hash in columns.iterator(chunk_size=5000)
        if first == staged.version.pk or pk in unchanged
    )


def _activate(
    staged: _Staged, header: Header, name_count: int, entries_sha256: str
) -> None:
    version = staged.version
    source = version.source
    unchanged = set(staged.unchanged)
    # Entries that were changed or removed end with the version that is active now.
    replaced_entities = []
    for pk, _ in staged.active.values():
        if pk not in unchanged:
            replaced_entities.append(pk)
    changes = {
        "added": staged.added,
        "changed": staged.changed,
        "removed": _count_of_removed(staged),
        "told": dict(staged.facts),
        **entries.unsure(staged.unsure),
    }
    with transaction.atomic():
        active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
        if active is not None:
            active.move(ListVersion.Status.RETIRED)
            decisive_rows.changed(active)
            for batch in writing.batches(replaced_entities, 500):
                ListEntity.objects.filter(pk__in=batch).update(last_version=active)
        is_active = version.move(
            ListVersion.Status.ACTIVE,
            published_at=header.published_at,
            entity_count=len(staged.hashes),
            name_count=name_count,
            topics=sorted(staged.topics),
            changes=changes,
            entries_sha256=entries_sha256,
        )
        if not is_active:
            # Another load activated its version meanwhile. Raising rolls the retirement back:
            # otherwise the list would have no active version.
            raise ListError("Another load took the place of this one, which was slow.")
        decisive_rows.changed(version)
        ListReindex.objects.get_or_create(source=source)
        # New entries may concern subjects that were screened before, and so may removed ones.
        if staged.added or replaced_entities:
            Rescreening.begin(version)
            notify.after_commit(QUEUE)
    # The index of the earlier version is no longer needed.
    ListPosting.objects.filter(version__source=source).exclude(version=version).delete()


def _reject(version: ListVersion, note: str) -> None:
    with transaction.atomic():
        if version.move(ListVersion.Status.REJECTED, note=note):
            decisive_rows.changed(version)
            ListPosting.objects.filter(version=version).delete()
            ListEntity.objects.filter(first_version=version).delete()
