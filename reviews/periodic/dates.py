"""Computes the date of a review from facts. It reads neither the database nor the current time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Reason = Literal["ownership", "alarm", "document", "relation", "band"]
# If two reasons give the same day, the first in this order is shown.
REASONS: tuple[Reason, ...] = (
    "ownership",
    "alarm",
    "document",
    "relation",
    "band",
)
# Owners of a company are usually entered one after the other. This delay makes one review enough
# for all.
DAYS_AFTER_RELATION = 30


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that the date of a review follows from.

    `interval`: days between two reviews, by the policy for the risk band. `expiries`: the last valid
    days of documents. `relations`, `alarms`: the days of such events. `blocked_on`: the day since
    which the rating says that listed owners hold the customer, if that is after the approval.
    """

    approved_on: date
    interval: int
    expiries: Sequence[date] = ()
    relations: Sequence[date] = ()
    alarms: Sequence[date] = ()
    blocked_on: date | None = None


def review_date(facts: Facts) -> tuple[date, Reason]:
    """When the review is due and the reason for that day. The day may be in the past."""
    return min(_candidates(facts), key=_earliest_first)


def _earliest_first(candidate: tuple[date, Reason]) -> tuple[date, int]:
    day, reason = candidate
    return day, REASONS.index(reason)


def _candidates(facts: Facts) -> Iterator[tuple[date, Reason]]:
    yield plus(facts.approved_on, facts.interval), "band"
    for day in facts.expiries:
        # The approver knew about documents that had expired already.
        if day > facts.approved_on:
            yield day, "document"
    for day in facts.relations:
        yield plus(day, DAYS_AFTER_RELATION), "relation"
    for day in facts.alarms:
        yield day, "alarm"
    if facts.blocked_on:
        yield facts.blocked_on, "ownership"


def plus(day: date, days: int) -> date:
    """The day that is `days` later; the last possible date on overflow."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max
