"""Reads a CSV file into rows with line numbers. Faults are sentences for the page."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.languages import number
from reviews.intake.batch_files import (
    LONGEST_CELL,
    RefusedFileError,
    fault_of_width,
)

MOST_ROWS = 2_000
MOST_COLUMNS = 100
DELIMITERS = ",;\t"
_SEPARATOR = re.compile(rf"sep=(?P<separator>[{DELIMITERS}])\r?\n")
# The first bytes of a ZIP file, and so of an Excel workbook.
_WORKBOOK = b"PK\x03\x04"
_HOLDS_ROWS = gettext_lazy(
    "A cell holds line breaks and what looks like further rows: a quote was left open."
)


@dataclass(frozen=True)
class Row:
    """One row. `line` is where it begins, counted from 1. `fault` says why it cannot be used, or
    is "".
    """

    line: int
    cells: Sequence[str]
    fault: str = ""


@dataclass
class Table:
    columns: list[str]
    rows: list[Row] = field(default_factory=list)

    def example(self, place: int) -> str:
        """The first non-empty cell of a column, as an example for the page."""
        for row in self.rows:
            if place < len(row.cells) and row.cells[place]:
                return row.cells[place]
        return ""


def read(content: bytes) -> Table:
    """The rows of a UTF-8 file with a header. Empty rows are skipped.

    Cells are separated by commas, semicolons or tabs: the one that is most frequent in the header
    counts. Raises RefusedFileError.
    """
    text = text_of(content)
    # Spreadsheets write the separator into a line before the header.
    stated = _SEPARATOR.match(text)
    skipped = 0
    if stated:
        text = text[stated.end() :]
        skipped = 1
        delimiter = stated["separator"]
    else:
        header = text.partition("\n")[0]
        delimiter = max(DELIMITERS, key=header.count)
    # The limit is global to the csv module, so set it before each file.
    csv.field_size_limit(LONGEST_CELL)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        table = Table(_columns(next(lines, [])))
        # A row may span several lines, so it begins after the last line of the previous row.
        first_line = skipped + lines.line_num + 1
        for cells in lines:
            if "".join(cells).strip():
                table.rows.append(_row(first_line, cells, table.columns, delimiter))
            first_line = skipped + lines.line_num + 1
            if len(table.rows) > MOST_ROWS:
                raise RefusedFileError(
                    [
                        _("The file has more than %(most)s rows. Split it.")
                        % {"most": number(MOST_ROWS)}
                    ]
                )
    except csv.Error as exc:
        raise RefusedFileError(
            [
                _("Line %(line)d cannot be read: %(reason)s.")
                % {"line": skipped + lines.line_num, "reason": exc}
            ]
        ) from None
    if not table.rows:
        raise RefusedFileError([_("The file has no rows.")])
    return table


def text_of(content: bytes) -> str:
    """The text of a CSV file as spreadsheets write it. Raises RefusedFileError."""
    if content.startswith(_WORKBOOK):
        raise RefusedFileError(
            [_("The file is a workbook, not a CSV file. Save it as CSV UTF-8.")]
        )
    # Spreadsheets write "Unicode text" as UTF-16, with tabs, and with this mark before it.
    is_utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedFileError(
            [_("The file is not text in UTF-8. Save it as CSV UTF-8.")]
        ) from None
    if "\0" in text:
        raise RefusedFileError(
            [_("The file holds the character U+0000: it is not a CSV file.")]
        )
    return text


def _columns(cells: Sequence[str]) -> list[str]:
    columns = []
    for cell in cells:
        columns.append(" ".join(cell.split()))
    if not any(columns):
        raise RefusedFileError([_("The file has no header.")])
    if len(columns) > MOST_COLUMNS:
        raise RefusedFileError(
            [_("The file has more than %(most)d columns.") % {"most": MOST_COLUMNS}]
        )
    return columns


def _row(line: int, cells: list[str], columns: list[str], delimiter: str) -> Row:
    # A quote that was left open makes the row too short as well, and says more.
    if _holds_rows(cells, len(columns), delimiter):
        fault = str(_HOLDS_ROWS)
    else:
        fault = fault_of_width(cells, columns)
    stripped = []
    for cell in cells[: len(columns)]:
        stripped.append(cell.strip())
    return Row(line, stripped, fault)


def _holds_rows(cells: Sequence[str], width: int, delimiter: str) -> bool:
    """Whether a cell contains whole rows of `width` cells, as after a quote that was never
    closed.
    """
    if width < 2:
        return False
    for cell in cells:
        for line in cell.splitlines()[1:]:
            if line.count(delimiter) >= width - 1:
                return True
    return False
