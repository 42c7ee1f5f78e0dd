"""Cases in a CSV file: one row for each, the columns named as in self_attested_data.

`id` (or `case_id`) names the case; a row without one gets an id of its own. A dot leads into an
object (`address_of_incorporation.city`). A column of documents holds URLs, separated by blanks.
Columns that are not known are kept as text, as in any other request.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, NamedTuple, Protocol

from agenthub.schemas.limits import MOST_COLUMNS
from agenthub.wire import Wire

# Rows may hold long texts; the file as a whole is limited where it comes in.
csv.field_size_limit(25 << 20)

ID_COLUMNS = ("id", "case_id")
PREFIX = "self_attested_data."


class UnreadableFileError(Exception):
    """The file as a whole cannot be taken; the text says why."""


class CsvReader(Protocol):
    """What csv.reader() returns. `line_num`: the lines that it has read."""

    @property
    def line_num(self) -> int: ...
    def __next__(self) -> list[str]: ...


class Row(NamedTuple):
    """One row: the line on which it begins (from 1), and its cells by column, or what is wrong."""

    line: int
    cells: dict[str, str]
    error: str = ""


@contextmanager
def reading(
    file: IO[bytes], mapping: Mapping[str, str | None] | None = None
) -> Iterator[Iterator[Row]]:
    """The rows of a file in UTF-8 with a header, from its start; empty lines are passed over.

    `mapping` renames columns of the header; a column that is mapped to None is passed over.
    Raises UnreadableFileError, at once where the header is to blame. The file stays open.
    """
    with _csv_lines(file) as lines:
        header = _next(lines) or []
        yield _rows(lines, _columns(header, mapping or {}))


@contextmanager
def _csv_lines(file: IO[bytes]) -> Iterator[CsvReader]:
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        yield csv.reader(text)
    finally:
        # Else the wrapper would close the file with itself.
        text.detach()


def header_of(file: IO[bytes]) -> list[str]:
    """The columns of a file as its header names them. Raises UnreadableFileError."""
    with _csv_lines(file) as lines:
        header = _next(lines) or []
    names = [name.strip() for name in header]
    _judge_header(names)
    return names


def _rows(lines: CsvReader, columns: Sequence[str | None]) -> Iterator[Row]:
    width = len(columns)
    while True:
        line = lines.line_num + 1
        cells = _next(lines)
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > width:
            words = f"The row has {len(cells)} cells, the header {width}."
            yield Row(line, {}, words)
        elif holds_rows(cells, width):
            yield Row(line, {}, HOLDS_ROWS)
        else:
            # A short row lacks its last cells: they are empty.
            pairs = zip(columns, cells, strict=False)
            yield Row(line, {name: cell for name, cell in pairs if name is not None})


HOLDS_ROWS = (
    "A cell holds line breaks and what looks like further rows: a quote was left open."
)


def holds_rows(cells: Sequence[str], width: int) -> bool:
    """Whether a cell has swallowed rows of so many cells, as after a quote that was left open."""
    for cell in cells:
        for line in cell.splitlines()[1:]:
            if line.strip() and line.count(",") >= width - 1:
                return True
    return False


def _next(lines: CsvReader) -> list[str] | None:
    try:
        cells: list[str] | None = next(lines, None)
    except UnicodeDecodeError:
        raise UnreadableFileError("The file is not in UTF-8.") from None
    except csv.Error as exc:
        raise UnreadableFileError(
            f"Line {lines.line_num + 1} cannot be read: {exc}."
        ) from None
    if cells is not None and any("\0" in cell for cell in cells):
        raise UnreadableFileError(f"Line {lines.line_num} holds the character U+0000.")
    return cells


def _columns(
    header: Sequence[str], mapping: Mapping[str, str | None]
) -> list[str | None]:
    header = [name.strip() for name in header]
    _judge_header(header)
    for column in mapping:
        if column not in header:
            raise UnreadableFileError(f"The file has no column {column[:100]}.")
    columns: list[str | None] = []
    for name in header:
        member = mapping.get(name, name)
        if member is not None:
            member = member.strip().removeprefix(PREFIX)
        columns.append(member)
    _judge_names([name for name in columns if name is not None])
    return columns


def _judge_header(names: Sequence[str]) -> None:
    if not any(names):
        raise UnreadableFileError("The file has no header.")
    if len(names) > MOST_COLUMNS:
        raise UnreadableFileError(f"The file has more than {MOST_COLUMNS} columns.")


def _judge_names(names: Sequence[str]) -> None:
    for name in names:
        parts = name.split(".")
        if not all(part.strip() for part in parts):
            raise UnreadableFileError("A column of the header has no name.")
    for name in names:
        if names.count(name) > 1:
            raise UnreadableFileError(f"The column {name} comes twice.")
        if any(other.startswith(f"{name}.") for other in names):
            raise UnreadableFileError(
                f"The column {name} is a value and an object at once."
            )


def case_id(cells: dict[str, str]) -> str:
    for name in ID_COLUMNS:
        value = cells.get(name, "").strip()
        if value:
            return value
    return ""


def attested(cells: dict[str, str]) -> Wire:
    """The self_attested_data of a row: empty cells are absent members."""
    data: Wire = {}
    for column, cell in cells.items():
        if column in ID_COLUMNS or not cell.strip():
            continue
        *objects, name = column.split(".")
        place = data
        for member in objects:
            place = place.setdefault(member, {})
        place[name] = _documents(cell) if name.endswith("_documents") else cell.strip()
    return data


def _documents(cell: str) -> list[dict[str, str]]:
    documents: list[dict[str, str]] = []
    for url in cell.split():
        documents.append({"type": "Document", "url": url})
    return documents
