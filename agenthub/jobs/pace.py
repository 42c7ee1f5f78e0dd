"""How fast the jobs of a queue are worked: measured from those that ended in the last minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, Count, F, Max
from django.utils.timezone import now

from agenthub.models import Account, AgentJob

# Jobs that ended within this time count.
WINDOW = timedelta(minutes=10)
# No worker is at a job, and the last one ended longer ago: nobody knows when one will be.
IDLE = timedelta(minutes=1)
# A measure is kept for so many seconds: many clients ask at once, and it changes slowly.
KEPT_SECONDS = 5.0

_ENDS = [AgentJob.Status.COMPLETE, AgentJob.Status.FAILED]


@dataclass(frozen=True, slots=True)
class Pace:
    """`seconds`: how long one turn of a job takes a worker; a job of several documents has a turn for
    each. `workers`: how many jobs are worked at a time. Both are None where nothing tells."""

    seconds: float | None
    workers: int | None

    def seconds_for(self, turns: float) -> float | None:
        """How long all workers together take for so many turns; None where nothing tells."""
        if self.seconds is None or self.workers is None:
            return None
        return turns * self.seconds / self.workers


UNKNOWN = Pace(None, None)

# By queue: when it was measured, by the clock of this process, and the measure.
_measures: dict[bool, tuple[float, Pace]] = {}


def of_queue(*, reads_documents: bool) -> Pace:
    """The pace of the jobs that bring documents, or of those that do not."""
    moment = time.monotonic()
    measured_at, pace = _measures.get(reads_documents, (0.0, UNKNOWN))
    if reads_documents in _measures and moment - measured_at < KEPT_SECONDS:
        return pace
    pace = _measure(reads_documents=reads_documents)
    _measures[reads_documents] = (moment, pace)
    return pace


def forget() -> None:
    """Measure anew at the next question."""
    _measures.clear()


def _measure(*, reads_documents: bool) -> Pace:
    moment = now()
    # By account, which the indexes of jobs begin with.
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
        return UNKNOWN
    workers = rows.filter(leased_until__gt=moment).count()
    if not workers and not _is_recent(ended["last"], moment):
        return UNKNOWN
    return Pace(max(0.0, ended["duration"].total_seconds()), max(1, workers))


def _is_recent(last: datetime, moment: datetime) -> bool:
    return moment - last < IDLE
