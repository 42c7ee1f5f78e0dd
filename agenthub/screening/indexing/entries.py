"""Names and identifiers of entries as rows, and the update of rows from an older engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from agenthub.models.lists import ListEntity, ListIdentifier, ListName, ListSource
from agenthub.screening.indexing.writing import BATCH, batches, insert, update_names
from checks.screening import readable
from checks.screening.lists import parsed
from checks.screening.records import Entity

NAME_COLUMNS = "agenthub_listname (entity_id, kind, text, tokens, script, person)"
IDENTIFIER_COLUMNS = "agenthub_listidentifier (entity_id, value, type, country)"


class NameRow(NamedTuple):
    entity: int
    kind: str
    text: str
    tokens: str
    script: str
    person: bool

    @property
    def listed_name(self) -> tuple[int, str, str, bool]:
        """The part that comes from the list. The rest is the engine's reading of it."""
        return self.entity, self.kind, self.text, self.person


class IdentifierRow(NamedTuple):
    entity: int
    value: str
    type: str
    country: str


def names(pk: int, entity: Entity) -> Iterator[NameRow]:
    for listed_name in entity.names:
        for name in parsed(listed_name, entity):
            yield NameRow(
                pk,
                listed_name.kind,
                listed_name.text,
                name.text,
                name.script,
                name.person,
            )


def identifiers(pk: int, entity: Entity) -> Iterator[IdentifierRow]:
    for identifier in entity.identifiers:
        if identifier.normalised:
            yield IdentifierRow(
                pk,
                identifier.normalised[:200],
                identifier.type,
                identifier.country[:2],
            )


def insert_all(entities: Mapping[int, Entity]) -> None:
    """Insert the names and identifiers of entries. `entities`: id of the row → entry."""
    name_rows: list[NameRow] = []
    identifier_rows: list[IdentifierRow] = []
    for pk, entity in entities.items():
        name_rows += names(pk, entity)
        identifier_rows += identifiers(pk, entity)
    insert(NAME_COLUMNS, name_rows)
    insert(IDENTIFIER_COLUMNS, identifier_rows)


def renew(source: ListSource, *, progress: Callable[[int], object]) -> dict[str, int]:
    """Parse the list's current names and identifiers again from its entries. Ids stay the same.

    Each batch is a separate transaction, so that SQLite's single writer is free in between. The
    function can be repeated after an interruption: it only changes what is not up to date.
    """
    rows = ListEntity.objects.filter(source=source, last_version=None).order_by("pk")
    columns = rows.values_list("pk", "content")
    reached = count = 0
    kinds = Counter[str]()
    while batch := list(columns.filter(pk__gt=reached)[:BATCH]):
        entities = {pk: Entity.from_wire(content) for pk, content in batch}
        with transaction.atomic():
            _renew_names(entities)
            _renew_identifiers(entities)
        reached = batch[-1][0]
        count += len(batch)
        for entity in entities.values():
            kinds.update(readable.kinds(entity))
        progress(count)
    return unsure(kinds)


def unsure(kinds: Counter[str]) -> dict[str, int]:
    """The entries that names in Latin letters may not find, as a version keeps their numbers."""
    return {
        readable.OTHER_LETTERS: kinds[readable.OTHER_LETTERS],
        readable.UNREADABLE_PEOPLE: kinds[readable.UNREADABLE_PEOPLE],
    }


def _renew_names(entities: Mapping[int, Entity]) -> None:
    # Match stored rows with wanted rows by what the list says. One name may have several rows.
    wanted: defaultdict[tuple[int, str, str, bool], list[NameRow]] = defaultdict(list)
    for pk, entity in entities.items():
        for row in names(pk, entity):
            wanted[row.listed_name].append(row)
    changed: list[tuple[str, str, int]] = []
    surplus: list[int] = []
    stored = ListName.objects.filter(entity__in=list(entities)).order_by("pk")
    columns = ("pk", "entity_id", "kind", "text", "tokens", "script", "person")
    for name_pk, *values in stored.values_list(*columns):
        before = NameRow(*values)
        same_name = wanted[before.listed_name]
        if not same_name:
            surplus.append(name_pk)
            continue
        after = same_name.pop(0)
        if after != before:
            changed.append((after.tokens, after.script, name_pk))
    update_names(changed)
    _delete(ListName, surplus)
    missing = [row for rows in wanted.values() for row in rows]
    insert(NAME_COLUMNS, missing)


def _renew_identifiers(entities: Mapping[int, Entity]) -> None:
    # A multiset of the wanted rows: remove those that are stored, insert the remainder.
    wanted: Counter[IdentifierRow] = Counter()
    for pk, entity in entities.items():
        wanted.update(identifiers(pk, entity))
    surplus: list[int] = []
    stored = ListIdentifier.objects.filter(entity__in=list(entities))
    columns = ("entity_id", "value", "type", "country", "pk")
    for entity_pk, value, kind, country, row_pk in stored.values_list(*columns):
        row = IdentifierRow(entity_pk, value, kind, country)
        if wanted[row] > 0:
            wanted[row] -= 1
        else:
            surplus.append(row_pk)
    _delete(ListIdentifier, surplus)
    insert(IDENTIFIER_COLUMNS, list(wanted.elements()))


def _delete(
    model: type[ListName] | type[ListIdentifier], numbers: Sequence[int]
) -> None:
    for batch in batches(numbers, BATCH):
        model._default_manager.filter(pk__in=batch).delete()
