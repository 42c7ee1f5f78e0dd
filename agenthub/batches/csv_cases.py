"""Reads cases from a CSV file: one row per case, with columns named as in self_attested_data.

`id` (or `case_id`) identifies the case; a row without one gets a generated id. A dot leads into an
object (`address_of_incorporation.city`). A column of documents contains URLs, separated by blanks.
Unknown columns are stored as text, as in any other request.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, NamedTuple, Protocol

from agenthub.schemas.limits import MOST_COLUMNS, MOST_LEVELS
from agenthub.wire import Wire

# Rows may contain long texts. The size of the whole file is limited at upload.
csv.field_size_limit(25 << 20)

ID_COLUMNS = ("id", "case_id")
PREFIX = "self_attested_data."


class UnreadableFileError(Exception):
    """The whole file is refused; the message says why, and quotes no cell."""


class UnreadableHeaderError(UnreadableFileError):
    """Its message quotes the header: in a file without one, the data of an applicant.

    The client that sends the file is told. The message is not stored.
    """


class CsvReader(Protocol):
    """The type of csv.reader(). `line_num` counts the lines that were read."""

    @property
    def line_num(self) -> int: ...
    def __next__(self) -> list[str]: ...


class Row(NamedTuple):
    """One row: the line where it begins (from 1), and its cells by column or an error."""

    line: int
    cells: dict[str, str]
    error: str = ""


@contextmanager
def reading(
    file: IO[bytes], mapping: Mapping[str, str | None] | None = None
) -> Iterator[Iterator[Row]]:
    """A context manager: the rows of a UTF-8 file with a header, without empty lines.

    `mapping`: heading → name of the member, or None to ignore the column. Raises
    UnreadableFileError: for the header at once, otherwise during iteration. The file stays open.
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
        # Otherwise the wrapper would close the file with itself.
        text.detach()


def header_of(file: IO[bytes]) -> list[str]:
    """The headings of a file. Raises UnreadableFileError."""
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
        if len(cells) <= width and holds_rows(cells, width):
            yield Row(line, {}, HOLDS_ROWS)
        elif len(cells) != width:
            # One too many or too few: all cells may be those of other columns.
            words = f"The row has {len(cells)} cells, the header {width}."
            yield Row(line, {}, words)
        else:
            pairs = zip(columns, cells, strict=True)
            yield Row(line, {name: cell for name, cell in pairs if name is not None})


HOLDS_ROWS = (
    "A cell holds line breaks and what looks like further rows: a quote was left open."
)


def holds_rows(cells: Sequence[str], width: int) -> bool:
    """Whether a cell contains whole rows of `width` cells, as after a quote that was left open."""
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
            raise UnreadableHeaderError(f"The file has no column {column[:100]}.")
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
        raise UnreadableHeaderError("The file has no header.")
    # Spreadsheets of many countries write semicolons. Each row would be one cell.
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        raise UnreadableHeaderError(
            "The header has no commas: the columns must be separated by commas."
        )
    if len(names) > MOST_COLUMNS:
        raise UnreadableHeaderError(f"The file has more than {MOST_COLUMNS} columns.")


def _judge_names(names: Sequence[str]) -> None:
    for name in names:
        parts = name.split(".")
        if not all(part.strip() for part in parts):
            raise UnreadableHeaderError("A column of the header has no name.")
        if len(parts) > MOST_LEVELS:
            raise UnreadableHeaderError(
                f"A column of the header has more than {MOST_LEVELS} levels."
            )
    for name in names:
        if names.count(name) > 1:
            raise UnreadableHeaderError(f"The column {name} comes twice.")
        if any(other.startswith(f"{name}.") for other in names):
            raise UnreadableHeaderError(
                f"The column {name} is a value and an object at once."
            )


def case_id(cells: dict[str, str]) -> str:
    for name in ID_COLUMNS:
        value = cells.get(name, "").strip()
        if value:
            return value
    return ""


def attested(cells: dict[str, str]) -> Wire:
    """The self_attested_data of a row, without empty cells.

    Dots in headings become nested objects.
    """
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
