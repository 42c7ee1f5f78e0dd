"""Reader of OpenSanctions' targets.simple.csv."""

from __future__ import annotations

from collections.abc import Iterator

from agenthub.screening.formats.base import (
    Header,
    Options,
    all_dates,
    codes,
    identifiers,
    listed_names,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.tables import need, records
from checks.screening.records import Entity, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "Person": "Person", "Vessel": "Vessel", "Airplane": "Aircraft", "LegalEntity": "LegalEntity",
    "Organization": "Organization", "Company": "Organization", "PublicBody": "Organization",
}  # fmt: skip


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        for row in records(file):
            need(row, "id", "schema", "name", "aliases", format="targets.simple.csv")
            if row["schema"] not in _SCHEMAS:
                continue
            header.published_at = max(
                header.published_at, row.get("last_seen", "")[:10]
            )
            entity = _entity(row, options)
            if entity.names:
                yield entity
            else:
                header.nameless += 1


def _entity(row: dict[str, str], options: Options) -> Entity:
    names: list[tuple[str, NameKind]] = [(row["name"], "primary")]
    for alias in _split(row["aliases"]):
        names.append((alias, "alias"))
    places = codes(_split(row.get("countries", "")))
    is_person = row["schema"] == "Person"
    return Entity(
        id=row["id"],
        schema=_SCHEMAS[row["schema"]],
        names=listed_names(names),
        birth_dates=all_dates(_split(row.get("birth_date", ""))),
        nationalities=places if is_person else (),
        countries=places,
        identifiers=identifiers("identifier", _split(row.get("identifiers", ""))),
        addresses=_split(row.get("addresses", "")),
        topics=list(options.topics),
        programs=_split(row.get("dataset", "")),
        listed_on=row.get("first_seen", "")[:10],
        reason=row.get("sanctions", "").strip('"'),
    )


def _split(cell: str) -> list[str]:
    return list(filter(None, map(str.strip, cell.split(";"))))
