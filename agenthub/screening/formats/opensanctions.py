"""OpenSanctions' targets.simple.csv."""

from __future__ import annotations

from collections.abc import Iterator

from agenthub.screening.formats.base import Header, Options, codes, dates, identifier, named
from agenthub.screening.formats.files import Files, one
from agenthub.screening.formats.tables import need, records
from checks.screening.records import Entity, Schema

_SCHEMAS: dict[str, Schema] = {
    "Person": "Person", "Vessel": "Vessel", "Airplane": "Aircraft", "LegalEntity": "LegalEntity",
    "Organization": "Organization", "Company": "Organization", "PublicBody": "Organization",
}  # fmt: skip


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with one(files)() as file:
        for row in records(file):
            need(row, "id", "schema", "name", "aliases", format="targets.simple.csv")
            if row["schema"] not in _SCHEMAS:
                continue
            header.published_at = max(header.published_at, row.get("last_seen", "")[:10])
            names = named(
                [(row["name"], "primary"), *((a, "alias") for a in _split(row["aliases"]))]
            )
            if not names:
                header.nameless += 1
                continue
            yield _entity(row, options)


def _entity(row: dict[str, str], options: Options) -> Entity:
    person = row["schema"] == "Person"
    numbers = (identifier("identifier", value) for value in _split(row.get("identifiers", "")))
    places = codes(_split(row.get("countries", "")))
    return Entity(
        id=row["id"],
        schema=_SCHEMAS[row["schema"]],
        names=named([(row["name"], "primary"), *((a, "alias") for a in _split(row["aliases"]))]),
        birth_dates=[b for said in _split(row.get("birth_date", "")) for b in dates(said)],
        nationalities=places if person else (),
        countries=places,
        identifiers=[number for number in numbers if number],
        addresses=_split(row.get("addresses", "")),
        topics=list(options.topics),
        programs=_split(row.get("dataset", "")),
        listed_on=row.get("first_seen", "")[:10],
        reason=row.get("sanctions", "").strip('"'),
    )


def _split(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]
