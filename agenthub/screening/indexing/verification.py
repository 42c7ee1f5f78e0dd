"""Compares the rows of the active lists with what was loaded, for `audit_verify`.

The audit trail proves a version of a list with the digest of its entries. Everything else follows
from them: the content of an entry from its hash, names and identifiers from the content, and
postings from the names. So each of them is computed again here, and compared with the stored rows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.db.models import QuerySet

from agenthub.models.lists import (
    ListEntity,
    ListIdentifier,
    ListName,
    ListPosting,
    ListVersion,
)
from agenthub.screening.indexing import entries, writing
from agenthub.screening.indexing.entries import IdentifierRow, NameRow
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Entity
from checks.wire import JsonObject

BATCH = 500
Row = TypeVar("Row", NameRow, IdentifierRow)


def digest_of_entries(rows: Iterable[tuple[str, str]]) -> str:
    """The SHA-256 of all entries of a version, in hexadecimal.

    `rows` are the external ids and the hashes of the contents, in the order of the ids of the
    rows.
    """
    digest = hashlib.sha256()
    for external_id, content_hash in rows:
        digest.update(f"{external_id}\x1f{content_hash}\x1e".encode(errors="replace"))
    return digest.hexdigest()


def faults() -> Iterator[str]:
    """What differs, as sentences. Nothing if all rows are as they were loaded.

    A version from before the digest was recorded says nothing until its list is loaded again.
    Names and postings of an earlier engine are made anew in the background, so they are not
    compared.
    """
    active = ListVersion.objects.filter(status=ListVersion.Status.ACTIVE)
    versions = active.exclude(entries_sha256="").select_related("source")
    for version in versions.order_by("pk"):
        name = f"The list {version.source.slug}"
        yield from _entry_faults(version, name)
        if version.engine_version == ENGINE_VERSION:
            yield from _name_faults(version, name)
            if not _has_its_postings(version):
                yield f"{name}: its index (agenthub_listposting) was changed."


def _entry_faults(version: ListVersion, name: str) -> Iterator[str]:
    rows = entities_of(version)
    hashes = rows.values_list("external_id", "content_hash")
    if digest_of_entries(hashes.iterator(chunk_size=BATCH)) != version.entries_sha256:
        yield f"{name}: entries (agenthub_listentity) were changed, removed or put in."
    contents = rows.values_list("pk", "content", "content_hash")
    for pk, content, content_hash in contents.iterator(chunk_size=BATCH):
        entity = _entity(content)
        if entity is None or entity.content_hash != content_hash:
            yield f"{name}: agenthub_listentity {pk} is not as it was loaded."


def _name_faults(version: ListVersion, name: str) -> Iterator[str]:
    contents = entities_of(version).values_list("pk", "content")
    reached = 0
    while batch := list(contents.filter(pk__gt=reached)[:BATCH]):
        reached = batch[-1][0]
        entities = {pk: _entity(content) for pk, content in batch}
        wanted_names: Counter[NameRow] = Counter()
        wanted_identifiers: Counter[IdentifierRow] = Counter()
        for pk, entity in entities.items():
            # _entry_faults() reports those that cannot be read.
            if entity is not None:
                wanted_names.update(entries.names(pk, entity))
                wanted_identifiers.update(entries.identifiers(pk, entity))
        stored_names = ListName.objects.filter(entity__in=entities).values_list(
            "entity_id", "kind", "text", "tokens", "script", "person"
        )
        stored_identifiers = ListIdentifier.objects.filter(
            entity__in=entities
        ).values_list("entity_id", "value", "type", "country")
        names = Counter(NameRow(*row) for row in stored_names)
        identifiers = Counter(IdentifierRow(*row) for row in stored_identifiers)
        for entity_id in sorted(_entities_that_differ(wanted_names, names)):
            yield f"{name}: the names (agenthub_listname) of entry {entity_id} were changed."
        for entity_id in sorted(_entities_that_differ(wanted_identifiers, identifiers)):
            yield (
                f"{name}: the identifiers (agenthub_listidentifier) of entry {entity_id} "
                "were changed."
            )


def _entities_that_differ(wanted: Counter[Row], stored: Counter[Row]) -> set[int]:
    rows = wanted.keys() | stored.keys()
    return {row.entity for row in rows if wanted[row] != stored[row]}


def _has_its_postings(version: ListVersion) -> bool:
    """Whether the index of the version is exactly that of its names."""
    postings, _ = writing.collect_postings(
        lambda: writing.names_of(version, lambda *_: True)
    )
    wanted = {key: (count, names) for key, count, names in postings.rows()}
    stored = ListPosting.objects.filter(version=version)
    for key, count, names in stored.values_list("key", "count", "names").iterator():
        if wanted.pop(key, None) != (count, bytes(names)):
            return False
    return not wanted


def entities_of(version: ListVersion) -> QuerySet[ListEntity]:
    """The entries of the active version of the same list, and of one that is being loaded."""
    rows = ListEntity.objects.filter(source=version.source_id, last_version=None)
    return rows.order_by("pk")


def _entity(content: JsonObject) -> Entity | None:
    """The entry; None if the stored content can no longer be read as one."""
    try:
        return Entity.from_wire(content)
    except (TypeError, AttributeError):
        return None
