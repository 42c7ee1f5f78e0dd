"""CSV files of lists, strictly: a row of another width, or an open quote, means a damaged file."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from typing import IO

from agenthub.screening.formats.base import ListError

csv.field_size_limit(min(sys.maxsize, 1 << 24))


def rows(
    file: IO[bytes], *, encoding: str = "utf-8-sig", delimiter: str = ","
) -> Iterator[list[str]]:
    """The rows, blank ones left out. Raises ListError on bytes or quotes that do not fit."""
    stream = io.TextIOWrapper(file, encoding=encoding, newline="")
    reader = csv.reader(stream, strict=True, delimiter=delimiter, skipinitialspace=True)
    try:
        for row in reader:
            if any("\0" in cell for cell in row):
                raise ListError(f"The CSV is damaged at line {reader.line_num}: it holds a NUL.")
            if any(cell.strip() for cell in row):
                yield row
    except csv.Error as exc:
        raise ListError(f"The CSV ends early or is damaged at line {reader.line_num}.") from exc
    except UnicodeDecodeError as exc:
        raise ListError(
            f"The file is not text in {encoding} (after line {reader.line_num})."
        ) from exc


def records(
    file: IO[bytes], *, encoding: str = "utf-8-sig", delimiter: str = ","
) -> Iterator[dict[str, str]]:
    """The rows under a header, by column."""
    table = rows(file, encoding=encoding, delimiter=delimiter)
    header = [name.strip() for name in next(table, [])]
    for number, row in enumerate(table, start=2):
        if len(row) != len(header):
            raise ListError(
                f"Row {number} has {len(row)} cells, not {len(header)} as the header says: "
                "the file ends early or is of another format."
            )
        yield dict(zip(header, row, strict=True))


def need(record: dict[str, str], *columns: str, format: str) -> None:  # noqa: A002
    """Raises ListError where a column is missing."""
    if missing := [column for column in columns if column not in record]:
        raise ListError(f"The file is not a {format}: the column {missing[0]} is missing.")
