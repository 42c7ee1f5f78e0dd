"""The UK Sanctions List of the FCDO: CSV in full, and the ODS as published."""

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
    codes,
    date,
    dates,
    elements,
    gender,
    identifier,
    named,
)
from agenthub.screening.formats.files import Files, one
from agenthub.screening.formats.tables import rows
from checks.screening.records import Entity, Identifier, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "entity": "Organization", "ship": "Vessel",
}  # fmt: skip
_NUMBERS = {
    "Passport number": "passport", "National Identifier number": "national identification",
    "Business registration number (s)": "registration", "IMO number": "imo",
    "Business Registration Number": "registration",
}  # fmt: skip
_LONG = ("UK Statement of Reasons", "Other Information")
_BETWEEN = re.compile(r";|(?:^|(?<=\s))\(\d{1,2}\)")
_NAME_PARTS = ("Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6")
_Row = dict[str, str]


def read_csv(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with one(files)() as file:
        yield from _entities(_whole(rows(file)), header, options)


def read_ods(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with one(files)() as file:
        yield from _entities(_ods_rows(file.read()), header, options)


def _whole(table: Iterable[list[str]]) -> Iterator[list[str]]:
    """The rows of the CSV, all of which are as wide as its heading: one that is not breaks off."""
    width = 0
    for number, row in enumerate(table, start=1):
        if width and len(row) != width:
            raise ListError(f"Row {number} has {len(row)} cells, not {width}: the file ends early.")
        width = width or (len(row) if "Unique ID" in row else 0)
        yield row


def _entities(table: Iterable[list[str]], header: Header, options: Options) -> Iterator[Entity]:
    """A row is one name or one address of an entity; its rows bear one id, and need not stand
    together."""
    groups: dict[str, list[_Row]] = {}
    for row in _records(table, header):
        group = groups.setdefault(row.get("Unique ID", ""), [])
        # Every row repeats the long texts.
        group.append({k: v for k, v in row.items() if k not in _LONG} if group else row)
    for group in groups.values():
        entity = _entity(group, options)
        if entity.names:
            yield entity
        else:
            header.nameless += 1


def _records(table: Iterable[list[str]], header: Header) -> Iterator[_Row]:
    columns: list[str] = []
    for number, row in enumerate(table, start=1):
        cells = [" ".join(cell.split()) for cell in row]
        if not columns:
            if said := re.search(r"Report Date:?\s*(\S+)", " ".join(cells), re.IGNORECASE):
                header.published_at = date(said[1].replace("-", " ")) or date(said[1])
            if "Unique ID" in cells:
                columns = cells
            elif number > 5:
                break
            continue
        yield {column: cell for column, cell in zip(columns, cells, strict=False) if cell}
    if not columns:
        raise ListError("The file is not a UK sanctions list: there is no column Unique ID.")


def _entity(group: list[_Row], options: Options) -> Entity:
    first = group[0]
    kind = _first(first, "Type", "Individual, Entity, Ship", "Designation Type").casefold()
    birth = [one for said in _all(group, "D.O.B", "DOB") for one in dates(said)]
    reasons = _first(first, "UK Statement of Reasons", "Other Information")
    return Entity(
        id=f"uk-{first.get('Unique ID', '')}",
        schema=_SCHEMAS.get(kind, "LegalEntity"),
        names=named(name for row in group for name in _names(row)),
        birth_dates=tuple(dict.fromkeys(birth)),
        birth_places=_all(group, "Town of birth"),
        nationalities=codes(_all(group, "Nationality(/ies)", "Nationality")),
        countries=codes(_all(group, "Address Country", "Country", "Current believed flag of ship")),
        genders=gender(_first(first, "Gender")),
        identifiers=list(dict.fromkeys(i for row in group for i in _identifiers(row))),
        addresses=list(dict.fromkeys(a for row in group if (a := _address(row)))),
        positions=_all(group, "Position"),
        topics=list(options.topics),
        programs=_all(group, "Regime Name", "Regime"),
        listed_on=date(_first(first, "Date Designated")),
        reason=reasons or _first(first, "Sanctions Imposed"),
    )


def _names(row: _Row) -> Iterator[tuple[str, NameKind]]:
    # Name 6 is the surname, or the whole name of what is no person.
    whole = " ".join(filter(None, (row.get(part, "") for part in _NAME_PARTS)))
    kind = row.get("Name type", row.get("Name Type", "")).casefold()
    strength = row.get("Alias strength", row.get("Alias Strength", "")).casefold()
    is_primary = not kind or ("primary" in kind and "variation" not in kind)
    said: NameKind = "primary" if is_primary else "alias"
    yield whole or row.get("Name", ""), "weak" if "low" in strength else said
    yield row.get("Name non-latin script", ""), "original_script"


def _identifiers(row: _Row) -> Iterator[Identifier]:
    for column, kind in _NUMBERS.items():
        for value in re.split(r"[;,]|\(\d{1,2}\)", row.get(column, "")):
            if found := identifier(kind, value):
                yield found


def _address(row: _Row) -> str:
    parts = [f"Address Line {number}" for number in range(1, 7)]
    lines = (row.get(p, "") for p in [*parts, "Address Postal Code", "Address Country"])
    return ", ".join(filter(None, lines))


def _first(row: _Row, *columns: str) -> str:
    return next((said for column in columns if (said := row.get(column, ""))), "")


def _all(group: list[_Row], *columns: str) -> list[str]:
    """What the rows say, each once; several in one cell are numbered, or have semicolons between."""
    cells = (row.get(column, "") for row in group for column in columns)
    found = (part.strip() for cell in cells for part in _BETWEEN.split(cell))
    return list(dict.fromkeys(part for part in found if part))


_MOST_CELLS = 200


def _ods_rows(content: bytes) -> Iterator[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if archive.getinfo("content.xml").file_size > 1 << 30:
                raise ListError("The spreadsheet unpacks to more than 1 GB.")
            with archive.open("content.xml") as file:
                found = elements(file, "table-row", root="document-content")
                next(found)
                for row in found:
                    if any(cells := list(_cells(row))):
                        yield cells
    except (zipfile.BadZipFile, KeyError) as exc:
        raise ListError("The file is not a spreadsheet, or ends early.") from exc


def _cells(row: Element) -> Iterator[str]:
    given = 0
    for cell in row:
        repeated = int(cell.get(_REPEATED) or 1)
        said = "\n".join("".join(p.itertext()) for p in cell)
        for _ in range(min(repeated, _MOST_CELLS - given)):
            yield said
        given += repeated
        if given >= _MOST_CELLS:
            return


_REPEATED = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}number-columns-repeated"
