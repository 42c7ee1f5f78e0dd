"""`python -m checks match PAIRS.csv`: how similar the two names of each row are."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from checks.screening import engine

NEEDED = ("name1", "name2", "schema")
# A spreadsheet program takes a cell with such a start for a formula; the last four are the full-width
# forms of the first.
FORMULA_STARTS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m checks match",
        description="Write the rows of a CSV (columns name1, name2, schema) with a column score.",
    )
    parser.add_argument("file", type=Path, metavar="PAIRS.csv")
    path: Path = parser.parse_args(arguments).file
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            return _write(csv.DictReader(stream), path.name)
    except (OSError, UnicodeDecodeError, csv.Error) as exc:
        sys.stderr.write(f"{path}: {type(exc).__name__}\n")
        return 2


def _write(rows: csv.DictReader[str], name: str) -> int:
    columns = list(rows.fieldnames or ())
    if missing := [column for column in NEEDED if column not in columns]:
        sys.stderr.write(f"{name}: the column {missing[0]} is missing\n")
        return 2
    out = csv.DictWriter(
        sys.stdout, [*columns, "score"], extrasaction="ignore", restval=""
    )
    out.writerow({column: _escaped(column) for column in out.fieldnames})
    for row in rows:
        score = engine.compare(
            row["name1"] or "", row["name2"] or "", schema=row["schema"] or ""
        )
        cells = {column: _escaped(row[column] or "") for column in columns}
        out.writerow({**cells, "score": f"{score:.3f}"})
    return 0


def _escaped(cell: str) -> str:
    """The cell as a text that no spreadsheet program runs. Names come from others."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
