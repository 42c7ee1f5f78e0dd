"""Tables that the checks read. Each has a sibling .md that tells its source and licence."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table of this folder, by its name without the ending."""
    with files(__name__).joinpath(f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))
