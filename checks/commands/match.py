"""`python -m checks match PAIRS.csv`: how similar the two names of each row are."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from checks.screening import engine

NEEDED = ("name1", "name2", "schema")


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
    out.writeheader()
    for row in rows:
        score = engine.compare(
            row["name1"] or "", row["name2"] or "", schema=row["schema"] or ""
        )
        out.writerow({**row, "score": f"{score:.3f}"})
    return 0
