"""The date of a review, from facts alone: no database, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Reason = Literal["alarm", "document", "relation", "band"]
# Of two reasons for one day the first is shown.
REASONS: tuple[Reason, ...] = ("alarm", "document", "relation", "band")
# A person records the owners of a company one after the other. One review is enough for all of them.
DAYS_AFTER_RELATION = 30


@dataclass(frozen=True, slots=True)
class Facts:
    """`interval`: days that the policy allows for the band. `expiries`: the last days of documents.
    `relations`, `alarms`: the days on which something happened."""

    approved_on: date
    interval: int
    expiries: Sequence[date] = ()
    relations: Sequence[date] = ()
    alarms: Sequence[date] = ()


def review_date(facts: Facts) -> tuple[date, Reason]:
    """When the review is due, and why then. It may lie in the past."""
    return min(_candidates(facts), key=lambda each: (each[0], REASONS.index(each[1])))


def _candidates(facts: Facts) -> Iterator[tuple[date, Reason]]:
    yield plus(facts.approved_on, facts.interval), "band"
    for day in facts.expiries:
        # Who approved with a document that had expired knew it.
        if day > facts.approved_on:
            yield day, "document"
    for day in facts.relations:
        yield plus(day, DAYS_AFTER_RELATION), "relation"
    for day in facts.alarms:
        yield day, "alarm"


def plus(day: date, days: int) -> date:
    """So many days later; at the end of the calendar its last day."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max
