"""Reader of Australia's consolidated list (DFAT): XLSX as published, or a CSV of it.

Each name of an entry has its own row; the rows of one entry have references such as 2, 2a, 2b."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date as day_type
from datetime import timedelta

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    date,
    identifiers,
    listed_names,
    unique,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.publishers import xlsx
from agenthub.screening.formats.tables import rows
from checks.screening.records import Entity, Identifier, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "entity": "Organization", "vessel": "Vessel",
}  # fmt: skip
_REQUIRED = ("reference", "name of individual or entity", "type", "name type")
_REFERENCE = re.compile(r"(\d+)[a-z]*", re.IGNORECASE)
_MOST_ROWS_OF_TITLE = 5
# Separators between several values in a cell, such as "a) Afghanistan b) Pakistan".
_BETWEEN = re.compile(r"(?:^|(?<=\s))[a-z]\)\s*|;\s*|\n")
_PASSPORT = re.compile(
    r"passport (?:no|number)s?\.?:?\s*([^\s,;.]*\d[^\s,;.]*)", re.IGNORECASE
)
_NATIONAL = re.compile(
    r"(?:national )?identification (?:no|number)s?\.?:?\s*([^\s,;.]*\d[^\s,;.]*)",
    re.IGNORECASE,
)
# Spreadsheets count days from 1900 and include 29 February 1900, which did not exist. This day 0
# makes later dates correct.
_DAY_ZERO = day_type(1899, 12, 30)
_Row = Mapping[str, str]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    """Yield the entities. The rows of an entry may be scattered, so all rows are collected first.

    The list has some ten thousand rows.
    """
    groups: dict[str, list[_Row]] = {}
    for number, row in enumerate(_records(files), start=1):
        reference = _REFERENCE.fullmatch(row.get("reference", ""))
        if reference is None:
            raise ListError(
                f"Row {number} has no reference such as 2 or 2a: the file is damaged, or of another"
                " layout."
            )
        groups.setdefault(reference[1], []).append(row)
    for key, group in groups.items():
        yield _entity(key, group, options)


def _records(files: Files) -> Iterator[_Row]:
    columns: list[str] = []
    # The heading follows up to _MOST_ROWS_OF_TITLE rows of title.
    for number, cells in enumerate(_rows(files), start=1):
        if columns:
            pairs = zip(columns, cells, strict=False)
            record = {
                name: " ".join(cell.split()) for name, cell in pairs if cell.strip()
            }
            if record:
                yield record
            continue
        heading = [" ".join(cell.split()).casefold() for cell in cells]
        if set(_REQUIRED) <= set(heading):
            columns = heading
        elif number > _MOST_ROWS_OF_TITLE:
            break
    if not columns:
        raise ListError(
            "The file is not Australia's consolidated list: the columns Reference and Name of"
            " Individual or Entity are missing."
        )


def _rows(files: Files) -> Iterator[list[str]]:
    if xlsx.is_workbook(files):
        yield from xlsx.rows(files)
        return
    with single(files)() as file:
        yield from rows(file)


def _entity(key: str, group: list[_Row], options: Options) -> Entity:
    first = next((row for row in group if _kind(row) == "primary"), group[0])
    schema = _SCHEMAS.get(first.get("type", "").casefold(), "LegalEntity")
    information = _all(group, "additional information")
    births = _all(group, "date of birth") if schema == "Person" else []
    return Entity(
        id=f"dfat-{key}",
        schema=schema,
        names=listed_names(
            (row.get("name of individual or entity", ""), _kind(row)) for row in group
        ),
        birth_dates=tuple(dict.fromkeys(all_dates(map(_day, births)))),
        birth_places=_all(group, "place of birth"),
        nationalities=codes(_all(group, "citizenship")),
        identifiers=_identifiers(information, _all(group, "imo number")),
        addresses=_all(group, "address"),
        topics=list(options.topics),
        programs=unique(row.get("committees", "") for row in group),
        listed_on=date(_day(first.get("control date", ""))),
        reason="; ".join(unique([*information, *_all(group, "listing information")])),
    )


def _kind(row: _Row) -> NameKind:
    kind = row.get("name type", "").casefold()
    if "original" in kind:
        return "original_script"
    if "weak" in row.get("alias strength", "").casefold():
        return "weak"
    if "former" in kind:
        return "former"
    return "primary" if "primary" in kind else "alias"


def _all(group: Iterable[_Row], column: str) -> list[str]:
    """The distinct values of a column. A cell may hold several: "a) … b) …", or with semicolons."""
    values: list[str] = []
    for row in group:
        for value in _BETWEEN.split(row.get(column, "")):
            values.append(value.strip(" ,;"))
    return unique(values)


def _day(words: str) -> str:
    """A date without the dots after months. A spreadsheet's day number becomes an ISO date."""
    if re.fullmatch(r"\d{5}(?:\.0+)?", words):
        return (_DAY_ZERO + timedelta(days=int(words.partition(".")[0]))).isoformat()
    return re.sub(r"\b([A-Za-z]{3,4})\.", r"\1", words)


def _identifiers(information: Iterable[str], ships: Iterable[str]) -> list[Identifier]:
    numbers: list[Identifier] = []
    for words in information:
        numbers += identifiers("passport", _PASSPORT.findall(words))
        numbers += identifiers("national identification", _NATIONAL.findall(words))
    numbers += identifiers("imo", ships)
    return list(dict.fromkeys(numbers))
