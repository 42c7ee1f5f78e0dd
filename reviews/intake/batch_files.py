"""A file of cases before it is given to a service: what would mix cases or be refused is told here,
with the lines. What a service says of the rest, row by row, stands."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from papers import countries
from reviews.models import DOCUMENT_KINDS, ID_PICTURES

ID_COLUMNS = ("id", "case_id")
PREFIX = "self_attested_data."
COUNTRY_MEMBERS = frozenset(
    {"country_code", "country_of_nationality", "country_of_residence", "issuing_country"}
)
# A longer list says no more: a column was misread, or a file has another form.
MOST_FAULTS = 20
LONGEST_CELL = 25 << 20


class RefusedFileError(ValueError):
    """The file cannot be given to a service as it is. The text says why, with lines."""

    def __init__(self, faults: list[str]) -> None:
        more = len(faults) - MOST_FAULTS
        self.faults = faults[:MOST_FAULTS] + ([f"And {more} more."] if more > 0 else [])
        super().__init__(" ".join(self.faults))


@dataclass
class _Table:
    columns: list[str]
    # The line on which a row begins, from 1, and its cells by column.
    rows: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)


def judge(content: bytes, *, kind: str) -> list[str]:
    """The columns that the interface does not name. Raises RefusedFileError."""
    table = _read(content)
    known = _known(kind)
    unknown = [name for name in table.columns if name not in known]
    if len(unknown) == len(table.columns):
        listed = ", ".join(name[:40] for name in unknown[:10])
        raise RefusedFileError([f"No column is one of a case. The file has: {listed}."])
    if not table.rows:
        raise RefusedFileError(["The file has no rows."])
    if faults := [*_twice(table), *_no_countries(table)]:
        raise RefusedFileError(faults)
    return unknown


def _read(content: bytes) -> _Table:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedFileError(["The file is not text in UTF-8. Save it as CSV UTF-8."]) from None
    if "\0" in text:
        raise RefusedFileError(["The file holds the character U+0000: it is not a CSV file."])
    csv.field_size_limit(LONGEST_CELL)
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip().removeprefix(PREFIX) for name in next(lines, [])]
        if not any(header):
            raise RefusedFileError(["The file has no header."])
        table, line = _Table(header), lines.line_num + 1
        for cells in lines:
            if any(cell.strip() for cell in cells):
                table.rows.append((line, dict(zip(header, cells, strict=False))))
            line = lines.line_num + 1
    except csv.Error as exc:
        raise RefusedFileError([f"Line {lines.line_num} cannot be read: {exc}."]) from None
    return table


def _known(kind: str) -> set[str]:
    from reviews.intake.forms import FORMS  # here: a worker loads no forms

    cells = {cell.name for section in FORMS[kind].sections for cell in section.cells}
    addresses = {f"{name.rpartition('.')[0]}.type" for name in cells if "address" in name}
    documents = {one.value for one in DOCUMENT_KINDS[kind] if one not in ID_PICTURES}
    return {*ID_COLUMNS, *cells, *addresses, *documents}


def _twice(table: _Table) -> Iterator[str]:
    """Two rows of one id would become one case, of which nobody knows whose it is."""
    lines: dict[str, list[int]] = {}
    for line, cells in table.rows:
        given = (cells.get(name, "").strip() for name in ID_COLUMNS)
        if case_id := next((one for one in given if one), ""):
            lines.setdefault(case_id, []).append(line)
    for case_id, found in lines.items():
        if len(found) > 1:
            listed = ", ".join(map(str, found[:10]))
            yield f"The id {case_id[:60]} stands on the lines {listed}: give each case its own."


def _no_countries(table: _Table) -> Iterator[str]:
    columns = [name for name in table.columns if name.rpartition(".")[2] in COUNTRY_MEMBERS]
    for line, cells in table.rows:
        for name in columns:
            code = cells.get(name, "").strip()
            if code and code.upper() not in countries.NAMES:
                words = f"Line {line}: {name} is {code[:20]!r}, which is no two-letter code"
                yield f"{words} of a country."
