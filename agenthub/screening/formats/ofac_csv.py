"""Reader of OFAC's older CSV files: SDN.CSV with ALT, ADD, SDN_COMMENTS (or CONS_PRIM etc.).

Here dates of birth and numbers are part of the remarks. The XML has more data and a clearer form,
so prefer it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    gender,
    identifier,
    listed_names,
    present,
)
from agenthub.screening.formats.files import Files
from agenthub.screening.formats.tables import rows
from checks.screening.records import Entity, Identifier, NameKind, Schema
from papers import countries

_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "vessel": "Vessel", "aircraft": "Aircraft",
}  # fmt: skip
# Number of columns of each part.
_WIDTHS = {"sdn": 12, "alt": 5, "add": 6, "comments": 2}
_Table = dict[str, list[list[str]]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    tables = {}
    for part in ("alt", "add", "comments"):
        tables[part] = _table(files, part)
    for row in _rows(files, "sdn"):
        yield _entity(row, tables, options)


def _table(files: Files, part: str) -> _Table:
    """The rows of a part by the number of their entity."""
    table: _Table = defaultdict(list)
    for row in _rows(files, part):
        table[row[0].strip()].append(row)
    return table


def _rows(files: Files, part: str) -> Iterator[list[str]]:
    name = _file_name(files, part)
    if name is None:
        return
    width = _WIDTHS[part]
    with files[name]() as file:
        for number, row in enumerate(rows(file, encoding="latin-1"), start=1):
            first = row[0].strip()
            # The file ends with the end-of-file character of DOS.
            if row == ["\x1a"]:
                return
            if len(row) != width or not first.isdigit():
                raise ListError(
                    f"{name}, row {number}: {len(row)} cells that do not fit; the file ends early or "
                    "is of another format."
                )
            yield [_plain(cell) for cell in row]


def _file_name(files: Files, part: str) -> str | None:
    """The name of a part's file; None if there is none.

    Raises ListError if the main file is missing.
    """
    names = (f"{part}.csv", f"sdn_{part}.csv", f"cons_{part}.csv")
    if part == "sdn":
        names = ("sdn.csv", "cons_prim.csv", "")
    for name in names:
        if name in files:
            return name
    if part != "sdn":
        return None
    if len(files) != 1:
        raise ListError("There is no SDN.CSV (or CONS_PRIM.CSV) among the files.")
    return next(iter(files))


def _plain(cell: str) -> str:
    text = " ".join(cell.split())
    # OFAC writes -0- for an empty cell.
    if text == "-0-":
        return ""
    return text


def _entity(row: list[str], tables: dict[str, _Table], options: Options) -> Entity:
    number = row[0]
    remarks = _remarks(row, tables)
    notes = []
    for note in remarks.split(";"):
        notes.append(note.strip().rstrip("."))
    aliases = tables["alt"].get(number, ())
    address_rows = tables["add"].get(number, ())
    places = [address[4] for address in address_rows]
    birth_dates = all_dates(_after(notes, "DOB"))
    nationalities = [*_after(notes, "nationality"), *_after(notes, "citizen")]
    numbers = map(_identifier, notes)
    return Entity(
        id=f"ofac-{number}",
        schema=_SCHEMAS.get(row[2], "Organization"),
        names=listed_names(_names(row[1], aliases, notes)),
        birth_dates=tuple(dict.fromkeys(birth_dates)),
        birth_places=_after(notes, "POB"),
        nationalities=codes(nationalities),
        countries=codes([*places, row[9]]),
        genders=_genders(notes),
        identifiers=present(numbers),
        addresses=list(map(_address, address_rows)),
        positions=list(filter(None, [row[4]])),
        topics=list(options.topics),
        programs=_programs(row[3]),
        reason=remarks,
        source_url=f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={number}",
    )


def _remarks(row: list[str], tables: dict[str, _Table]) -> str:
    """The remarks of an entity. Long ones continue in the table of comments."""
    remarks = [row[11]]
    for comment in tables["comments"].get(row[0], ()):
        remarks.append(comment[1])
    return " ".join(remarks)


def _genders(notes: list[str]) -> list[str]:
    letters: list[str] = []
    for note in _after(notes, "Gender"):
        letters += gender(note)
    return letters


def _address(row: list[str]) -> str:
    return ", ".join(filter(None, row[2:5]))


def _names(
    primary: str, aliases: Sequence[list[str]], notes: list[str]
) -> Iterator[tuple[str, NameKind]]:
    yield primary, "primary"
    for alias in aliases:
        yield alias[3], "former" if alias[2].startswith("f") else "alias"
    for note in notes:
        for name in re.findall(r"[af]\.k\.a\. '([^']+)'", note):
            yield name, "weak"


def _programs(cell: str) -> list[str]:
    programs = re.split(r"\]\s*\[", cell.strip("[] "))
    return [program.strip() for program in programs if program]


def _after(notes: list[str], word: str) -> list[str]:
    """The remainder of each note that begins with `word`, also after "alt."."""
    pattern = re.compile(rf"(?:alt\. )?{word} (.+)")
    matches = map(pattern.match, notes)
    return [match[1] for match in matches if match]


# "Passport A123456 (Iran)": the kind, the number, and the place in brackets.
_NUMBER = re.compile(
    r"(?:alt\. )?([A-Z][A-Za-z./# ()&]*?)\s+(?:IMO )?(\S*\d\S*)(?: \(([^)]+)\))?"
)


_WALLET = re.compile(r"(?:alt\. )?(Digital Currency Address) - \w+ (\w+)")


def _identifier(note: str) -> Identifier | None:
    if note.startswith(("DOB", "POB", "alt. DOB", "alt. POB", "Linked To")):
        return None
    wallet = _WALLET.match(note)
    if wallet:
        return identifier(*wallet.groups())
    match = _NUMBER.match(note)
    if not match:
        return None
    kind, number, place = match.groups()
    country = (place or "").split(",")[-1]
    return identifier(kind, number, countries.code(country))
