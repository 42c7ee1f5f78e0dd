"""Tables that the checks read.

A file with the same name and the ending .md gives source and licence.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a table in this folder, by its name without the ending.

    Raises ValueError if a row has more cells than the heading, as after a comma without quotes.
    """
    text = files(__name__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    rows = tuple(csv.DictReader(text.splitlines(), restkey="", restval=""))
    for row in rows:
        if "" in row:
            raise ValueError(f"{name}.csv: {row}: too many cells")
    return rows
