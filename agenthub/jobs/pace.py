"""The pace of a queue: how fast its jobs are handled, measured over the last minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Avg, Count, F, Max
from django.utils.timezone import now

from agenthub.models import Account, AgentJob

# Jobs that were claimed within this time and have ended are measured.
WINDOW = timedelta(minutes=10)
# If no worker has a job, and the last one ended longer ago than this, the pace is unknown.
IDLE = timedelta(minutes=1)
# Seconds for which a measurement is cached: many clients ask at once, and it changes slowly.
KEPT_SECONDS = 5.0

_ENDS = [AgentJob.Status.COMPLETE, AgentJob.Status.FAILED]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a queue is handled.

    `seconds`: the duration of one turn of a job; a job with several documents has one turn for
    each. `workers`: how many jobs are handled at a time."""

    seconds: float
    workers: int

    def seconds_for(self, turns: float) -> float:
        """The seconds that all workers together need for these turns."""
        return turns * self.seconds / self.workers


# reads_documents → (time.monotonic() of the measurement, the pace).
_measures: dict[bool, tuple[float, Pace | None]] = {}


def of_queue(*, reads_documents: bool) -> Pace | None:
    """The pace of the jobs with documents, or of those without; None if unknown."""
    moment = time.monotonic()
    if reads_documents in _measures:
        measured_at, pace = _measures[reads_documents]
        if moment - measured_at < KEPT_SECONDS:
            return pace
    pace = _measure(reads_documents=reads_documents)
    _measures[reads_documents] = (moment, pace)
    return pace


def forget() -> None:
    """Clear the cache of measurements."""
    _measures.clear()


def _measure(*, reads_documents: bool) -> Pace | None:
    moment = now()
    # Filter by account, because the indexes of jobs begin with it.
    accounts = list(Account.objects.values_list("pk", flat=True))
    rows = AgentJob.objects.filter(
        account__in=accounts, reads_documents=reads_documents
    ).order_by()
    ended = rows.filter(
        claimed_at__gte=moment - WINDOW, due_at=None, status__in=_ENDS
    ).aggregate(
        count=Count("pk"),
        duration=Avg(F("updated_at") - F("claimed_at")),
        last=Max("updated_at"),
    )
    if not ended["count"]:
        return None
    workers = rows.filter(leased_until__gt=moment).count()
    if not workers and moment - ended["last"] >= IDLE:
        return None
    return Pace(max(0.0, ended["duration"].total_seconds()), max(1, workers))
