"""Reader of the UK Sanctions List of the FCDO: the full CSV, and the ODS as published."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    date,
    elements,
    gender,
    identifiers,
    listed_names,
    un_references,
    unique,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.tables import rows
from checks.screening.records import Entity, Identifier, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "entity": "Organization", "ship": "Vessel",
}  # fmt: skip
# Column → the wording that base.identifier() understands.
_NUMBERS = {
    "Passport number": "passport", "National Identifier number": "national identification",
    "Business registration number (s)": "registration", "IMO number": "imo",
    "Business Registration Number": "registration",
}  # fmt: skip
# Columns with long texts, repeated in every row of an entity.
_LONG = ("UK Statement of Reasons", "Other Information")
# Separators in a cell: semicolons, or numbers such as "(1)".
_BETWEEN = re.compile(r";|(?:^|(?<=\s))\(\d{1,2}\)")
_NAME_PARTS = ("Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6")
_Row = dict[str, str]
# The real spreadsheet has a few megabytes, so it is read at once.
MOST_BYTES = 64 << 20


def read_csv(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        yield from _entities(_complete(rows(file)), header, options)


def read_ods(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ListError("The file is too large for the list of the United Kingdom.")
    yield from _entities(_ods_rows(content), header, options)


def _complete(table: Iterable[list[str]]) -> Iterator[list[str]]:
    """The rows of the CSV. Raises ListError for a row of another width: the file is cut off."""
    width = 0
    for number, row in enumerate(table, start=1):
        if width and len(row) != width:
            raise ListError(
                f"Row {number} has {len(row)} cells, not {width}: the file ends early."
            )
        if not width and "Unique ID" in row:
            width = len(row)
        yield row


def _entities(
    table: Iterable[list[str]], header: Header, options: Options
) -> Iterator[Entity]:
    """Yield the entities. Each row is one name or address of an entity.

    Rows of one entity have the same id and may be scattered, so all rows are collected first."""
    groups: dict[str, list[_Row]] = {}
    for row in _records(table, header):
        group = groups.setdefault(row.get("Unique ID", ""), [])
        if group:
            # Drop the repeated long texts to save memory: the first row has them.
            for column in _LONG:
                row.pop(column, None)
        group.append(row)
    for group in groups.values():
        entity = _entity(group, options)
        if entity.names:
            yield entity
        else:
            header.nameless += 1


def _records(table: Iterable[list[str]], header: Header) -> Iterator[_Row]:
    columns: list[str] = []
    for number, row in enumerate(table, start=1):
        cells = []
        for cell in row:
            cells.append(" ".join(cell.split()))
        if columns:
            pairs = zip(columns, cells, strict=False)
            yield {column: cell for column, cell in pairs if cell}
            continue
        _read_date(cells, header)
        if "Unique ID" in cells:
            columns = cells
        elif number > _MOST_ROWS_OF_TITLE:
            break
    if not columns:
        raise ListError(
            "The file is not a UK sanctions list: there is no column Unique ID."
        )


_MOST_ROWS_OF_TITLE = 5


def _read_date(cells: list[str], header: Header) -> None:
    report_date = re.search(r"Report Date:?\s*(\S+)", " ".join(cells), re.IGNORECASE)
    if report_date:
        day = report_date[1]
        header.published_at = date(day.replace("-", " ")) or date(day)


def _entity(group: list[_Row], options: Options) -> Entity:
    first = group[0]
    kind = _first(
        first, "Type", "Individual, Entity, Ship", "Designation Type"
    ).casefold()
    names: list[tuple[str, NameKind]] = []
    numbers: list[Identifier] = []
    for row in group:
        names += _names(row)
        numbers += _identifiers(row)
    birth_dates = all_dates(_all(group, "D.O.B", "DOB"))
    return Entity(
        id=f"uk-{first.get('Unique ID', '')}",
        schema=_SCHEMAS.get(kind, "LegalEntity"),
        names=listed_names(names),
        birth_dates=tuple(dict.fromkeys(birth_dates)),
        birth_places=_all(group, "Town of birth"),
        nationalities=codes(_all(group, "Nationality(/ies)", "Nationality")),
        countries=codes(
            _all(group, "Address Country", "Country", "Current believed flag of ship")
        ),
        genders=gender(_first(first, "Gender")),
        identifiers=list(dict.fromkeys(numbers)),
        addresses=unique(map(_address, group)),
        positions=_all(group, "Position"),
        topics=list(options.topics),
        programs=_all(group, "Regime Name", "Regime"),
        listed_on=date(_first(first, "Date Designated")),
        reason=_first(first, *_LONG, "Sanctions Imposed"),
        references=un_references(_all(group, "UN Reference Number")),
    )


def _names(row: _Row) -> Iterator[tuple[str, NameKind]]:
    # Name 6 is the surname of a person, or the whole name of anything else.
    parts = []
    for column in _NAME_PARTS:
        parts.append(row.get(column, ""))
    name = " ".join(filter(None, parts)) or row.get("Name", "")
    kind = row.get("Name type", row.get("Name Type", "")).casefold()
    strength = row.get("Alias strength", row.get("Alias Strength", "")).casefold()
    is_primary = not kind or ("primary" in kind and "variation" not in kind)
    if "low" in strength:
        yield name, "weak"
    elif is_primary:
        yield name, "primary"
    else:
        yield name, "alias"
    yield row.get("Name non-latin script", ""), "original_script"


def _identifiers(row: _Row) -> list[Identifier]:
    numbers: list[Identifier] = []
    for column, kind in _NUMBERS.items():
        values = re.split(r"[;,]|\(\d{1,2}\)", row.get(column, ""))
        numbers += identifiers(kind, values)
    return numbers


def _address(row: _Row) -> str:
    lines = []
    for column in _ADDRESS:
        lines.append(row.get(column, ""))
    return ", ".join(filter(None, lines))


_ADDRESS = (
    "Address Line 1",
    "Address Line 2",
    "Address Line 3",
    "Address Line 4",
    "Address Line 5",
    "Address Line 6",
    "Address Postal Code",
    "Address Country",
)


def _first(row: _Row, *columns: str) -> str:
    for column in columns:
        if row.get(column):
            return row[column]
    return ""


def _all(group: list[_Row], *columns: str) -> list[str]:
    """The distinct values of these columns.

    A cell may hold several: numbered, or with semicolons.
    """
    parts: list[str] = []
    for row in group:
        for column in columns:
            parts += _BETWEEN.split(row.get(column, ""))
    return unique(part.strip() for part in parts)


# More cells per row are ignored: a few bytes can claim millions of repeated cells.
_MOST_CELLS = 200


def _ods_rows(content: bytes) -> Iterator[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if archive.getinfo("content.xml").file_size > 1 << 30:
                raise ListError("The spreadsheet unpacks to more than 1 GB.")
            with archive.open("content.xml") as file:
                table = elements(file, "table-row", root="document-content")
                next(table)
                for row in table:
                    cells = list(_cells(row))
                    if any(cells):
                        yield cells
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,  # of a number that is none
        NotImplementedError,  # of the method of packing
        RuntimeError,  # of encryption
    ) as exc:
        raise ListError("The file is not a spreadsheet, or ends early.") from exc


def _cells(row: Element) -> Iterator[str]:
    count = 0
    for cell in row:
        repeats = int(cell.get(_REPEATED) or 1)
        content = "\n".join("".join(paragraph.itertext()) for paragraph in cell)
        for _ in range(min(repeats, _MOST_CELLS - count)):
            yield content
        count += repeats
        if count >= _MOST_CELLS:
            return


_REPEATED = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}number-columns-repeated"
