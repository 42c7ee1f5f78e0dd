"""A CSV of one's own: political persons, adverse media, internal block lists.

Columns are found by these names, in any case, or as the column map says: `{"name": "Full name"}`.
Several values in a cell stand apart by semicolons. Only `name` is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    date,
    dates,
    gender,
    identifier,
    named,
)
from agenthub.screening.formats.files import Files
from agenthub.screening.formats.tables import records
from checks.screening.records import Entity, NameKind, Schema

COLUMNS: dict[str, tuple[str, ...]] = {
    "id": ("id", "recordid", "record_id", "reference"),
    "schema": ("schema", "type"),
    "name": ("name", "full_name", "fullname"),
    "alias": ("alias", "aliases", "aka"),
    "weak_alias": ("weakalias", "weak_alias"),
    "former_name": ("previousname", "former_name", "former_names"),
    "birth_date": ("birthdate", "birth_date", "date_of_birth", "dob"),
    "birth_place": ("birthplace", "birth_place", "place_of_birth"),
    "nationality": ("nationality", "nationalities", "citizenship"),
    "country": ("country", "countries", "jurisdiction", "flag"),
    "gender": ("gender", "sex"),
    "address": ("address", "addresses"),
    "position": ("position", "positions"),
    "program": ("programkey", "program", "programme"),
    "topic": ("topic", "topics"),
    "listed_on": ("startdate", "listed_on"),
    "reason": ("reason", "reasons", "remarks"),
    "source_url": ("source_url", "url"),
    "passport": ("passportnumber", "passport"),
    "national_id": ("idnumber", "national_id"),
    "tax": ("taxnumber", "inncode", "tax_number"),
    "registration": ("registrationnumber", "ogrncode", "registration_number"),
    "lei": ("leicode", "lei"),
    "imo": ("imonumber", "imo"),
    "swift": ("swiftbic",),
    "identifier": ("identifier", "identifiers"),
}
_NUMBERS = {
    "passport": "passport", "national_id": "national identification", "tax": "tax",
    "registration": "registration", "lei": "lei", "imo": "imo", "swift": "swift",
    "identifier": "other",
}  # fmt: skip
_SCHEMAS: dict[str, Schema] = {
    "person": "Person", "individual": "Person", "vessel": "Vessel", "ship": "Vessel",
    "organization": "Organization", "company": "Organization", "entity": "Organization",
    "business": "Organization", "aircraft": "Aircraft", "airplane": "Aircraft",
}  # fmt: skip
_NAMES: tuple[tuple[str, NameKind], ...] = (
    ("alias", "alias"), ("weak_alias", "weak"), ("former_name", "former"),
)  # fmt: skip
_Said = dict[str, list[str]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    tables = [name for name in files if name.endswith((".csv", ".txt"))] or list(files)
    for table in tables:
        with files[table]() as file:
            for number, row in enumerate(records(file), start=2):
                said = _read(row, options)
                if not said["name"]:
                    header.nameless += 1
                    continue
                yield _entity(
                    said, f"{table}:{number}" if len(tables) > 1 else str(number), options
                )


def _read(row: dict[str, str], options: Options) -> _Said:
    lower = {name.casefold(): cell for name, cell in row.items()}
    for meaning, column in options.columns.items():
        if meaning not in COLUMNS:
            raise ListError(f"The column map names {meaning}. Known: {', '.join(COLUMNS)}.")
        if column not in row:
            raise ListError(f"The column map names the column {column}, which is not there.")
    said: _Said = {}
    for meaning, spellings in COLUMNS.items():
        mapped = options.columns.get(meaning)
        cells = [row[mapped]] if mapped else [lower[s] for s in spellings if s in lower]
        said[meaning] = [part.strip() for cell in cells for part in cell.split(";") if part.strip()]
    if not any(s in lower for s in COLUMNS["name"]) and "name" not in options.columns:
        raise ListError("There is no column name, and no column map that says which it is.")
    return said


def _entity(said: _Said, place: str, options: Options) -> Entity:
    names: list[tuple[str, NameKind]] = [(n, "primary") for n in said["name"][:1]]
    names += [(name, "alias") for name in said["name"][1:]]
    names += [(name, kind) for key, kind in _NAMES for name in said[key]]
    whole = "\x1f".join(said["name"] + said["birth_date"] + said["program"])
    numbers = (identifier(_NUMBERS[key], value) for key in _NUMBERS for value in said[key])
    kinds = [_SCHEMAS.get(one.casefold(), "LegalEntity") for one in said["schema"]]
    # A row without an id is known by its content, so that its place in the file does not matter.
    key = "-".join(said["id"][:1]) or hashlib.sha256(whole.encode()).hexdigest()[:16]
    return Entity(
        id=key
        if ":" not in place
        else f"{place.partition('.')[0]}-{key}-{place.partition(':')[2]}",
        schema=kinds[0] if kinds else "LegalEntity",
        names=named(names),
        birth_dates=[one for text in said["birth_date"] for one in dates(text)],
        birth_places=said["birth_place"],
        nationalities=codes(said["nationality"]),
        countries=codes(said["country"]),
        genders=sorted({s for text in said["gender"] for s in gender(text)}),
        identifiers=[number for number in numbers if number],
        addresses=said["address"],
        positions=said["position"],
        topics=said["topic"] or list(options.topics),
        programs=said["program"],
        listed_on="".join(date(text) for text in said["listed_on"][:1]),
        reason="; ".join(said["reason"]),
        source_url="".join(said["source_url"][:1]),
    )
