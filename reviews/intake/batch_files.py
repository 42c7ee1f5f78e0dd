"""Checks a file of cases before it is sent to a service.

The desk refuses, with line numbers, rows that would mix up cases or that any service would
refuse. What else a service says about rows is not judged here.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from django.utils.translation import gettext as _

from papers import countries
from reviews.models import DOCUMENT_KINDS, ID_PICTURES

ID_COLUMNS = ("id", "case_id")
PREFIX = "self_attested_data."
COUNTRY_MEMBERS = frozenset(
    {
        "country_code",
        "country_of_nationality",
        "country_of_residence",
        "issuing_country",
    }
)
# A longer list would not help: probably a column was misread, or the file has another format.
MOST_FAULTS = 20
MOST_NAMES = 10  # columns or lines named in one sentence
# The most characters of one cell. The default of the csv module is 128 KiB.
LONGEST_CELL = 25 << 20


class CsvReader(Protocol):
    """The type of csv.reader(). `line_num` counts the lines that were read."""

    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...

    def __next__(self) -> list[str]: ...


class RefusedFileError(ValueError):
    """The file cannot be sent to a service as it is. The text says why, with lines."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults[:MOST_FAULTS]
        more = len(faults) - MOST_FAULTS
        if more > 0:
            self.faults.append(_("And %(count)d more.") % {"count": more})
        super().__init__(" ".join(self.faults))


@dataclass
class _Table:
    columns: list[str]
    # For each row: the line on which it begins, counted from 1, and its cells by column.
    rows: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)


def check(content: bytes, *, kind: str) -> list[str]:
    """Check a file. Returns the columns that the interface does not know.

    Raises RefusedFileError.
    """
    table = _read(content)
    names = _columns_of_interface(kind)
    unknown = []
    for column in table.columns:
        if column not in names:
            unknown.append(column)
    # Not a single known column: probably another file, or another separator.
    if len(unknown) == len(table.columns):
        columns = ", ".join(name[:40] for name in unknown[:MOST_NAMES])
        raise RefusedFileError(
            [
                _("No column is one of a case. The file has: %(columns)s.")
                % {"columns": columns}
            ]
        )
    if not table.rows:
        raise RefusedFileError([_("The file has no rows.")])
    faults = _repeated_ids(table) + _unknown_countries(table)
    if faults:
        raise RefusedFileError(faults)
    return unknown


def template(kind: str) -> bytes:
    """A CSV file with the columns for a kind of case, in the order of the form, and no rows."""
    names = list(dict.fromkeys(_ordered_columns(kind)))
    file = io.StringIO(newline="")
    csv.writer(file).writerow(names)
    # Spreadsheets recognise UTF-8 by this byte order mark.
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def _read(content: bytes) -> _Table:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedFileError(
            [_("The file is not text in UTF-8. Save it as CSV UTF-8.")]
        ) from None
    if "\0" in text:
        raise RefusedFileError(
            [_("The file holds the character U+0000: it is not a CSV file.")]
        )
    csv.field_size_limit(LONGEST_CELL)
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        columns = []
        for name in next(lines, []):
            columns.append(name.strip().removeprefix(PREFIX))
        if not any(columns):
            raise RefusedFileError([_("The file has no header.")])
        table = _Table(columns)
        faults = _add_rows(table, lines)
    except csv.Error as exc:
        raise RefusedFileError(
            [
                _("Line %(line)d cannot be read: %(reason)s.")
                % {"line": lines.line_num, "reason": exc}
            ]
        ) from None
    if faults:
        raise RefusedFileError(faults)
    return table


def _add_rows(table: _Table, lines: CsvReader) -> list[str]:
    """Add the rows to the table. Returns the faults of those that do not fit the header."""
    faults = []
    # A row may span several lines. It begins on the line after the last line of the previous row.
    first_line = lines.line_num + 1
    for cells in lines:
        if "".join(cells).strip():
            by_column = dict(zip(table.columns, cells, strict=False))
            table.rows.append((first_line, by_column))
            if fault := fault_of_width(cells, table.columns):
                line = {"line": first_line, "fault": fault}
                faults.append(_("Line %(line)s: %(fault)s") % line)
        first_line = lines.line_num + 1
    return faults


def fault_of_width(cells: Sequence[str], columns: Sequence[str]) -> str:
    """Why a row cannot be read by this header; "" if it can.

    A cell too many or too few: it is not known which, so all cells may be of other columns.
    """
    counts = {"cells": len(cells), "columns": len(columns)}
    # Empty cells at the end of a row, and columns without a name, are harmless: spreadsheets make
    # them.
    if "".join(cells[len(columns) :]).strip():
        return _("The row has %(cells)d cells, the header %(columns)d.") % counts
    missing = [name for name in columns[len(cells) :] if name]
    if not missing:
        return ""
    names = ", ".join(name[:40] for name in missing[:MOST_NAMES])
    words = _(
        "The row has %(cells)d cells, the header %(columns)d. Missing: %(names)s."
    )
    return words % {**counts, "names": names}


def _columns_of_interface(kind: str) -> set[str]:
    columns = {*ID_COLUMNS, *_ordered_columns(kind)}
    for name in _ordered_columns(kind):
        if "address" in name:
            address = name.rpartition(".")[0]
            columns.add(f"{address}.type")
    return columns


def _ordered_columns(kind: str) -> list[str]:
    # Imported here: a worker uses this module, and must not load forms.
    from reviews.intake.forms import FORMS

    columns = [ID_COLUMNS[0]]
    for section in FORMS[kind].sections:
        columns += [cell.name for cell in section.cells]
    for document_kind in DOCUMENT_KINDS[kind]:
        if document_kind not in ID_PICTURES:
            columns.append(document_kind.value)
    return columns


def _repeated_ids(table: _Table) -> list[str]:
    """Faults for ids on several rows: they would become one case with the data of two subjects."""
    lines: dict[str, list[int]] = {}
    for line, cells in table.rows:
        if case_id := _case_id(cells):
            lines.setdefault(case_id, []).append(line)
    faults = []
    for case_id, places in lines.items():
        if len(places) > 1:
            numbers = ", ".join(map(str, places[:MOST_NAMES]))
            faults.append(
                _(
                    "The id %(case_id)s stands on the lines %(numbers)s: give each case its "
                    "own."
                )
                % {"case_id": case_id[:60], "numbers": numbers}
            )
    return faults


def _case_id(cells: Mapping[str, str]) -> str:
    for column in ID_COLUMNS:
        if case_id := cells.get(column, "").strip():
            return case_id
    return ""


def _unknown_countries(table: _Table) -> list[str]:
    columns = []
    for name in table.columns:
        if name.rpartition(".")[2] in COUNTRY_MEMBERS:
            columns.append(name)
    faults = []
    for line, cells in table.rows:
        for column in columns:
            code = cells.get(column, "").strip()
            if code and code.upper() not in countries.NAMES:
                faults.append(
                    _(
                        "Line %(line)s: %(column)s is %(code)s, which is no two-letter code of a "
                        "country."
                    )
                    % {"line": line, "column": column, "code": f"{code[:20]!r}"}
                )
    return faults
