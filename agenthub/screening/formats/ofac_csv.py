"""OFAC's older set: SDN.CSV with ALT, ADD and SDN_COMMENTS beside it (or CONS_PRIM and so on).

Dates of birth and numbers stand in the remarks here; the XML says more, and says it better.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    dates,
    gender,
    identifier,
    named,
)
from agenthub.screening.formats.files import Files
from agenthub.screening.formats.tables import rows
from checks.screening.records import BirthDate, Entity, Identifier, NameKind, Schema
from papers import countries

_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "vessel": "Vessel", "aircraft": "Aircraft",
}  # fmt: skip
_WIDTHS = {"sdn": 12, "alt": 5, "add": 6, "comments": 2}
_Table = dict[str, list[list[str]]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    tables = {part: _table(files, part) for part in ("alt", "add", "comments")}
    for row in _rows(files, "sdn"):
        yield _entity(row, tables, options)


def _table(files: Files, part: str) -> _Table:
    found: _Table = defaultdict(list)
    for row in _rows(files, part):
        found[row[0].strip()].append(row)
    return found


def _rows(files: Files, part: str) -> Iterator[list[str]]:
    names = {"sdn": ("sdn.csv", "cons_prim.csv")}.get(
        part, (f"{part}.csv", f"sdn_{part}.csv", f"cons_{part}.csv")
    )
    name = next((name for name in names if name in files), None)
    if name is None:
        if part == "sdn":
            if len(files) == 1:
                name = next(iter(files))
            else:
                raise ListError("There is no SDN.CSV (or CONS_PRIM.CSV) among the files.")
        else:
            return
    with files[name]() as file:
        for number, row in enumerate(rows(file, encoding="latin-1"), start=1):
            if row[0].strip() in {"", "\x1a"} and len(row) == 1:
                return
            if len(row) != _WIDTHS[part] or not row[0].strip().isdigit():
                raise ListError(
                    f"{name}, row {number}: {len(row)} cells that do not fit; the file ends early or "
                    "is of another format."
                )
            yield [_said(cell) for cell in row]


def _said(cell: str) -> str:
    plain = " ".join(cell.split())
    return "" if plain == "-0-" else plain


def _entity(row: list[str], tables: dict[str, _Table], options: Options) -> Entity:
    number = row[0]
    more = (comment[1] for comment in tables["comments"].get(number, ()))
    remarks = " ".join([row[11], *more])
    notes = [note.strip().rstrip(".") for note in remarks.split(";")]
    names: list[tuple[str, NameKind]] = [(row[1], "primary")]
    names += [
        (alt[3], "former" if alt[2].startswith("f") else "alias")
        for alt in tables["alt"].get(number, ())
    ]
    names += [(weak, "weak") for note in notes for weak in _weak(note)]
    homes = tables["add"].get(number, ())
    born = [one for note in notes if (m := re.match(r"(?:alt\. )?DOB (.+)", note))
            for one in dates(m[1])]  # fmt: skip
    return Entity(
        id=f"ofac-{number}",
        schema=_SCHEMAS.get(row[2], "Organization"),
        names=named(names),
        birth_dates=tuple(dict.fromkeys(BirthDate(b.date, b.circa) for b in born)),
        birth_places=_after(notes, "POB"),
        nationalities=codes([*_after(notes, "nationality"), *_after(notes, "citizen")]),
        countries=codes([*(home[4] for home in homes), row[9]]),
        genders=[s for said in _after(notes, "Gender") for s in gender(said)],
        identifiers=[found for note in notes if (found := _identifier(note))],
        addresses=[", ".join(filter(None, home[2:5])) for home in homes],
        positions=[row[4]] if row[4] else [],
        topics=list(options.topics),
        programs=[one.strip() for one in re.split(r"\]\s*\[", row[3].strip("[] ")) if one],
        reason=remarks,
        source_url=f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={number}",
    )


def _weak(note: str) -> list[str]:
    return re.findall(r"[af]\.k\.a\. '([^']+)'", note)


def _after(notes: list[str], word: str) -> list[str]:
    pattern = re.compile(rf"(?:alt\. )?{word} (.+)")
    return [m[1] for note in notes if (m := pattern.match(note))]


_NUMBER = re.compile(r"(?:alt\. )?([A-Z][A-Za-z./# ()&]*?)\s+(?:IMO )?(\S*\d\S*)(?: \(([^)]+)\))?")


def _identifier(note: str) -> Identifier | None:
    if note.startswith(("DOB", "POB", "alt. DOB", "alt. POB", "Linked To")):
        return None
    said = _NUMBER.match(note)
    if not said:
        return None
    return identifier(said[1], said[2], countries.code((said[3] or "").split(",")[-1]))
