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
from typing import IO, Any, NamedTuple

from agenthub.schemas.limits import MOST_COLUMNS

# Rows may hold long texts; the file as a whole is limited where it comes in.
csv.field_size_limit(25 << 20)

ID_COLUMNS = ("id", "case_id")
PREFIX = "self_attested_data."


class UnreadableFileError(Exception):
    """The file as a whole cannot be taken; the text says why."""


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
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        lines = csv.reader(text)
        yield _rows(lines, _columns(_next(lines) or [], mapping or {}))
    finally:
        text.detach()


def header_of(file: IO[bytes]) -> list[str]:
    """The columns of a file as its header names them. Raises UnreadableFileError."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        header = [name.strip() for name in _next(csv.reader(text)) or []]
    finally:
        text.detach()
    _judge_header(header)
    return header


def _rows(lines: Any, columns: Sequence[str | None]) -> Iterator[Row]:
    while True:
        line = lines.line_num + 1
        cells = _next(lines)
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(columns):
            words = f"The row has {len(cells)} cells, the header {len(columns)}."
            yield Row(line, {}, words)
        elif holds_rows(cells, len(columns)):
            yield Row(line, {}, HOLDS_ROWS)
        else:
            # A short row lacks its last cells: they are empty.
            named = zip(columns, cells, strict=False)
            yield Row(line, {name: cell for name, cell in named if name is not None})


HOLDS_ROWS = "A cell holds line breaks and what looks like further rows: a quote was left open."


def holds_rows(cells: Sequence[str], width: int) -> bool:
    """Whether a cell has swallowed rows of so many cells, as after a quote that was left open."""
    lines = (line for cell in cells for line in cell.splitlines()[1:] if line.strip())
    return any(line.count(",") >= width - 1 for line in lines)


def _next(lines: Any) -> list[str] | None:
    try:
        found: list[str] | None = next(lines, None)
    except UnicodeDecodeError:
        raise UnreadableFileError("The file is not in UTF-8.") from None
    except csv.Error as exc:
        raise UnreadableFileError(f"Line {lines.line_num + 1} cannot be read: {exc}.") from None
    if found is not None and any("\0" in cell for cell in found):
        raise UnreadableFileError(f"Line {lines.line_num} holds the character U+0000.")
    return found


def _columns(header: Sequence[str], mapping: Mapping[str, str | None]) -> list[str | None]:
    written = [name.strip() for name in header]
    _judge_header(written)
    for column in mapping:
        if column not in written:
            raise UnreadableFileError(f"The file has no column {column[:100]}.")
    columns = [_member(mapping.get(name, name)) for name in written]
    _judge_names([name for name in columns if name is not None])
    return columns


def _judge_header(written: Sequence[str]) -> None:
    if not any(written):
        raise UnreadableFileError("The file has no header.")
    if len(written) > MOST_COLUMNS:
        raise UnreadableFileError(f"The file has more than {MOST_COLUMNS} columns.")


def _judge_names(names: Sequence[str]) -> None:
    if not all(all(part.strip() for part in name.split(".")) for name in names):
        raise UnreadableFileError("A column of the header has no name.")
    for name in names:
        if names.count(name) > 1:
            raise UnreadableFileError(f"The column {name} comes twice.")
        if any(other.startswith(f"{name}.") for other in names):
            raise UnreadableFileError(f"The column {name} is a value and an object at once.")


def _member(name: str | None) -> str | None:
    return None if name is None else name.strip().removeprefix(PREFIX)


def case_id(cells: dict[str, str]) -> str:
    return next((cells[name].strip() for name in ID_COLUMNS if cells.get(name, "").strip()), "")


def attested(cells: dict[str, str]) -> dict[str, Any]:
    """The self_attested_data of a row: empty cells are absent members."""
    data: dict[str, Any] = {}
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
    return [{"type": "Document", "url": url} for url in cell.split()]
