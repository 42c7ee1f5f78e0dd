"""How much the checks that screen a case show, each number with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

MOST_SHOWN = _declare(
    "most_shown", 25, "A page shows so many entries; the rest is counted."
)
MOST_REPORTED = _declare(
    "most_reported",
    3,
    "An explanation names so many contradicted entries; the rest is counted.",
)
MOST_QUOTED = _declare(
    "most_quoted", 120, "Characters of one text that an explanation quotes."
)
MOST_PROGRAMS = _declare(
    "most_programs",
    3,
    "An alert is one line: it names so many programmes of the entry.",
)
MOST_EXPLAINED = _declare(
    "most_explained", 1000, "Characters of an explanation: it is read as one paragraph."
)
