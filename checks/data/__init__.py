"""Tables that the checks read. Each has a sibling .md that tells its source and licence."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table of this folder, by its name without the ending.

    ValueError: a row has another number of cells than the heading, as behind a comma without quotes.
    """
    text = files(__name__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    rows = tuple(csv.DictReader(text.splitlines(), restkey="", restval=""))
    for row in rows:
        if "" in row:
            raise ValueError(f"{name}.csv: {row}: too many cells")
    return rows
