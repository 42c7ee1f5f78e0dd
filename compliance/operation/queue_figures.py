"""Figures of queues: what waits and for how long, what is running, and what was done recently.

For the page of the queues, metrics and health. They come from the database, so each process reports
the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet, Sum
from django.db.models.functions import Now

from compliance.db import clock
from compliance.work import queues, tallies
from compliance.work.rows import Work

BULK = "bulk"
# The other cost classes: queue of the broker → class.
COST_CLASSES = {"default": "data", "documents": "documents", "deliveries": "deliveries"}
IS_LEASED = Q(leased_until__gte=Now())
IS_WAITING = Q(due_at__lte=Now()) & (Q(leased_until__isnull=True) | ~IS_LEASED)


@dataclass(frozen=True, slots=True)
class Figures:
    """One queue, or its rows of one cost class. Times are in seconds."""

    queue: str
    cost_class: str
    waiting: int  # due rows without a lease
    oldest_seconds: float  # how long the first waiting row has been due; 0: none waits
    leased: int  # rows that a worker holds
    failing: (
        int  # rows that are due now or later, and whose last attempt raised an error
    )


@dataclass(slots=True)
class Rates:
    """Outcomes of a queue's rows within a period: outcome → count, and the total seconds of work."""

    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def handled(self) -> int:
        return self.counts.get("handled", 0)

    @property
    def failed(self) -> int:
        return self.counts.get("failed", 0)

    @property
    def exhausted(self) -> int:
        return self.counts.get("exhausted", 0)


def all_figures() -> list[Figures]:
    """The figures of all queues, sorted by name."""
    figures = []
    for _, queue in sorted(queues.registered().items()):
        figures += of(queue)
    return figures


def of(queue: queues.WorkQueue) -> list[Figures]:
    """The figures of one queue, one entry per cost class. Bulk rows form a class of their own."""
    cost_class = COST_CLASSES[broker_queue(queue.name)]
    column = queue.fair_share.bulk if queue.fair_share else ""
    rows = due_rows(queue)
    if not column:
        return [_figures(queue, cost_class, rows.aggregate(**_sums()))]
    # Remove the default order: it would become a part of the groups.
    groups = rows.order_by().values(column).annotate(**_sums())
    by_bulk = {group[column]: group for group in groups}
    return [
        _figures(queue, cost_class, by_bulk.get(False, {})),
        _figures(queue, BULK, by_bulk.get(True, {})),
    ]


def due_rows(queue: queues.WorkQueue) -> QuerySet[Work]:
    """The rows that are due now or later and that the queue's condition admits."""
    rows = queue.model._default_manager.filter(due_at__isnull=False)
    # Rows that do not meet the condition may have been due for long: no worker should claim them.
    if queue.condition:
        rows = rows.extra(where=[queue.condition_sql])  # noqa: S610 - our own SQL
    return rows


def broker_queue(task: str) -> str:
    """The broker's queue to which a task is routed."""
    route = settings.CELERY_TASK_ROUTES.get(task, {})
    return str(route.get("queue", settings.CELERY_TASK_DEFAULT_QUEUE))


def rates(slots: int) -> dict[str, Rates]:
    """Queue → outcomes in the last `slots` slots of five minutes, the current one included."""
    first = tallies.current_slot() - slots + 1
    rows = tallies.Tally.objects.filter(kind=tallies.Kind.QUEUE, slot__gte=first)
    by_queue: dict[str, Rates] = {}
    sums = rows.values("name", "outcome").annotate(n=Sum("count"), s=Sum("seconds"))
    for row in sums.order_by("name", "outcome"):
        total = by_queue.setdefault(row["name"], Rates())
        total.counts[row["outcome"]] = row["n"]
        total.seconds += row["s"]
    return by_queue


def ever(*kinds: tallies.Kind) -> Iterable[tallies.Tally]:
    """The totals of these kinds since installation."""
    return tallies.Tally.objects.filter(kind__in=kinds, slot=tallies.EVER)


def _sums() -> dict[str, object]:
    return {
        "waiting": Count("pk", filter=IS_WAITING),
        "leased": Count("pk", filter=IS_LEASED),
        "failing": Count("pk", filter=Q(failures__gt=0)),
        "oldest": Min("due_at", filter=IS_WAITING),
    }


def _figures(queue: queues.WorkQueue, cost_class: str, sums: dict[str, Any]) -> Figures:
    return Figures(
        queue=queue.name,
        cost_class=cost_class,
        waiting=sums.get("waiting", 0),
        oldest_seconds=_age(sums.get("oldest")),
        leased=sums.get("leased", 0),
        failing=sums.get("failing", 0),
    )


def _age(moment: datetime | None) -> float:
    if moment is None:
        return 0.0
    return max(0.0, (clock.now() - moment).total_seconds())
