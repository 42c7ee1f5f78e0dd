"""A day that a paper may be of."""

from __future__ import annotations

from datetime import date

FIRST_YEAR, LAST_YEAR = 1700, 2100


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the day, or None if there is none or no paper can be of it."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
