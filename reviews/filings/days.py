"""Reads the attested days of a report. goAML and FinCEN accept the same ones."""

from __future__ import annotations

from datetime import date

# Both forms accept only days from this year on.
FIRST_YEAR = 1900


def accepted(text: str) -> date | None:
    """The day of a text in ISO 8601; None if it is no day that the forms accept."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    if day.year < FIRST_YEAR:
        return None
    return day
