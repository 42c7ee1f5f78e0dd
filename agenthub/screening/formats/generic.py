"""Reader of a CSV of the operator's own: politically exposed persons, adverse media, block lists.

Columns are recognised by the headings in COLUMNS, in any case, or by the list's column map:
`{"name": "Full name"}`. Several values in one cell are separated by semicolons. Only `name` is
mandatory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    date,
    genders,
    identifiers,
    listed_names,
)
from agenthub.screening.formats.files import Files
from agenthub.screening.formats.tables import records
from checks.screening.records import Entity, Identifier, NameKind, Schema

# Meaning of a column → its accepted headings in lower case.
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
    "swift": ("swiftbic", "swift", "bic"),
    "wallet": ("publickey", "wallet", "wallet_address"),
    "identifier": ("identifier", "identifiers"),
}
# Column of an identifier → the wording that base.identifier() understands.
_NUMBERS = {
    "passport": "passport", "national_id": "national identification", "tax": "tax",
    "registration": "registration", "lei": "lei", "imo": "imo", "swift": "swift",
    "wallet": "wallet", "identifier": "other",
}  # fmt: skip
_SCHEMAS: dict[str, Schema] = {
    "person": "Person", "individual": "Person", "vessel": "Vessel", "ship": "Vessel",
    "organization": "Organization", "company": "Organization", "entity": "Organization",
    "business": "Organization", "aircraft": "Aircraft", "airplane": "Aircraft",
}  # fmt: skip
_NAMES: tuple[tuple[str, NameKind], ...] = (
    ("alias", "alias"), ("weak_alias", "weak"), ("former_name", "former"),
)  # fmt: skip
_Values = dict[str, list[str]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    tables = [name for name in files if name.endswith((".csv", ".txt"))] or list(files)
    for table in tables:
        # Rows of different tables may have the same id, so their ids get the table and the row
        # number.
        prefix = f"{table.partition('.')[0]}-" if len(tables) > 1 else ""
        with files[table]() as file:
            for number, row in enumerate(records(file), start=2):
                values = _values(row, options)
                if values["name"]:
                    suffix = f"-{number}" if prefix else ""
                    key = f"{prefix}{_key(values)}{suffix}"
                    yield _entity(values, key, options)
                else:
                    header.nameless += 1


def _values(row: dict[str, str], options: Options) -> _Values:
    for meaning, column in options.columns.items():
        if meaning not in COLUMNS:
            raise ListError(
                f"The column map names {meaning}. Known: {', '.join(COLUMNS)}."
            )
        if column not in row:
            raise ListError(
                f"The column map names the column {column}, which is not there."
            )
    lower = {name.casefold(): cell for name, cell in row.items()}
    has_name = not lower.keys().isdisjoint(COLUMNS["name"])
    if not has_name and "name" not in options.columns:
        raise ListError(
            "There is no column name, and no column map that says which it is."
        )
    values: _Values = {}
    for meaning, spellings in COLUMNS.items():
        if options.columns.get(meaning):
            cells = [row[options.columns[meaning]]]
        else:
            cells = [lower[spelling] for spelling in spellings if spelling in lower]
        values[meaning] = _parts(cells)
    return values


def _parts(cells: list[str]) -> list[str]:
    parts: list[str] = []
    for cell in cells:
        parts += filter(None, map(str.strip, cell.split(";")))
    return parts


def _key(values: _Values) -> str:
    """The id of a row.

    Without one, a hash of its content: it does not depend on the row's position.
    """
    if values["id"]:
        return values["id"][0]
    content = "\x1f".join(values["name"] + values["birth_date"] + values["program"])
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _entity(values: _Values, key: str, options: Options) -> Entity:
    schema = "".join(values["schema"][:1]).casefold()
    numbers: list[Identifier] = []
    for name, kind in _NUMBERS.items():
        numbers += identifiers(kind, values[name])
    return Entity(
        id=key,
        schema=_SCHEMAS.get(schema, "LegalEntity"),
        names=listed_names(_names(values)),
        birth_dates=all_dates(values["birth_date"]),
        birth_places=values["birth_place"],
        nationalities=codes(values["nationality"]),
        countries=codes(values["country"]),
        genders=genders(values["gender"]),
        identifiers=numbers,
        addresses=values["address"],
        positions=values["position"],
        topics=values["topic"] or list(options.topics),
        programs=values["program"],
        listed_on=date("".join(values["listed_on"][:1])),
        reason="; ".join(values["reason"]),
        source_url="".join(values["source_url"][:1]),
    )


def _names(values: _Values) -> Iterator[tuple[str, NameKind]]:
    primary, *others = values["name"]
    yield primary, "primary"
    for name in others:
        yield name, "alias"
    for column, kind in _NAMES:
        for name in values[column]:
            yield name, kind
