"""A day that a paper may be of."""

from __future__ import annotations

from datetime import date

from checks.fields import tunables


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the day, or None if there is none or no paper can be of it."""
    if not tunables.FIRST_YEAR <= year <= tunables.LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
