"""The days of a report: those that goAML and FinCEN accept, and those that have come."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils.timezone import now

# Both forms accept only days from this year on.
FIRST_YEAR = 1900
# The zone that is furthest ahead of UTC.
FURTHEST_AHEAD = timedelta(hours=14)


def accepted(text: str) -> date | None:
    """The day of a text in ISO 8601; None if it is no day that the forms accept."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    if day.year < FIRST_YEAR:
        return None
    return day


def has_come(day: date) -> bool:
    """Whether a day has begun somewhere: who writes it may be many hours ahead of UTC."""
    return day <= (now() + FURTHEST_AHEAD).date()
