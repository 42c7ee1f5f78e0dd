"""Strict reading of CSV files: a row of another width or an open quote means a damaged file.

Spreadsheets separate cells by semicolons or tabs where the comma is a decimal sign, and save "Unicode
text" as UTF-16: both can be told for sure. The older encodings of one byte a letter cannot. With the
wrong one a name would never be matched, so they are refused.
"""

from __future__ import annotations

import codecs
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from agenthub.screening.formats.base import ListError
from agenthub.screening.formats.files import lines, open_files

# Some lists have cells longer than the default limit of 128 KiB.
csv.field_size_limit(min(sys.maxsize, 1 << 24))
DELIMITERS = ",;\t"
_MOST_OF_HEADER = 1 << 16  # bytes


def rows(
    file: IO[bytes], *, encoding: str = "utf-8-sig", delimiter: str = ","
) -> Iterator[list[str]]:
    """The rows without blank ones. Raises ListError on invalid bytes or quotes."""
    stream = io.TextIOWrapper(file, encoding=encoding, newline="")
    reader = csv.reader(
        lines(stream),
        strict=True,
        delimiter=delimiter,
        skipinitialspace=True,
    )
    try:
        for row in reader:
            if any("\0" in cell for cell in row):
                raise ListError(
                    f"The CSV is damaged at line {reader.line_num}: it holds a NUL."
                )
            if any(cell.strip() for cell in row):
                yield row
    except csv.Error as exc:
        raise ListError(
            f"The CSV ends early or is damaged at line {reader.line_num}."
        ) from exc
    except UnicodeDecodeError as exc:
        name = encoding.upper().removesuffix("-SIG")
        raise ListError(
            f"The file is not text in {name} (after line {reader.line_num}): save it as CSV in UTF-8."
        ) from exc


def _notation(file: IO[bytes]) -> tuple[str, str]:
    """The encoding and the delimiter, by the start of the file."""
    start = b""
    if isinstance(file, io.BufferedReader):
        start = file.peek(_MOST_OF_HEADER)[:_MOST_OF_HEADER]
    is_utf_16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if is_utf_16 else "utf-8-sig"
    heading = start.decode(encoding, "replace").partition("\n")[0]
    return encoding, max(DELIMITERS, key=heading.count)


def records(file: IO[bytes]) -> Iterator[dict[str, str]]:
    """The rows below the header: column → cell. Raises ListError for a row of another width."""
    encoding, delimiter = _notation(file)
    table = rows(file, encoding=encoding, delimiter=delimiter)
    header = []
    for name in next(table, []):
        header.append(name.strip())
    if twice := _twice(header):
        raise ListError(
            f"The column {twice} is there twice: one of the two would not be read."
        )
    for number, row in enumerate(table, start=2):
        if len(row) != len(header):
            raise ListError(
                f"Row {number} has {len(row)} cells, not {len(header)} as the header says: "
                "the file ends early or is of another format."
            )
        yield dict(zip(header, row, strict=True))


def _twice(header: Sequence[str]) -> str:
    """The first heading that stands there again, in any case; "" if all are different."""
    before: set[str] = set()
    for name in header:
        folded = name.casefold()
        if folded and folded in before:
            return name
        before.add(folded)
    return ""


def read_rows(
    path: Path,
    headings: Mapping[str, Sequence[str]],
    columns: Mapping[str, str],
    *,
    required: Mapping[str, str],
) -> Iterator[dict[str, str]]:
    """The rows of all tables of a file: member of `headings` → cell, empty if missing.

    `headings`: the accepted headings of each member, in lower case. `columns` sets another heading
    for a member. `required`: members that each table must have → their description for the
    ListError.
    """
    candidates = dict(headings)
    for member, heading in columns.items():
        candidates[member] = (heading.casefold(),)
    with open_files(path) as files:
        for table in sorted(files):
            with files[table]() as file:
                for number, record in enumerate(records(file)):
                    cells = {
                        heading.casefold(): cell for heading, cell in record.items()
                    }
                    # The header is the same for all rows: check the first row only.
                    if not number:
                        _need_members(cells, candidates, required)
                    yield {name: _cell(cells, candidates[name]) for name in headings}


def _need_members(
    cells: Mapping[str, str],
    candidates: Mapping[str, Sequence[str]],
    required: Mapping[str, str],
) -> None:
    for member, words in required.items():
        if not cells.keys() & set(candidates[member]):
            raise ListError(f"The file has no column {words}.")


def _cell(cells: Mapping[str, str], candidates: Sequence[str]) -> str:
    """The first non-empty cell under these headings."""
    for heading in candidates:
        cell = cells.get(heading, "").strip()
        if cell:
            return cell
    return ""


def need(record: dict[str, str], *columns: str, format: str) -> None:  # noqa: A002
    """Raises ListError if a column is missing.

    `format` names the expected format in the message.
    """
    if missing := [column for column in columns if column not in record]:
        raise ListError(
            f"The file is not a {format}: the column {missing[0]} is missing."
        )
