"""What an open job waits for, how much work is ahead of it, and an estimate of its remaining time.

The estimate follows the rule of turns (compliance.work.fairness) and the pace of the last minutes.
If the pace is unknown, so is the remaining time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.timezone import now

from agenthub.jobs import pace
from agenthub.models import Account, AgentJob
from agenthub.wire import Wire

# Reasons to wait.
TURN, WORKER, RETRY, RESULT = "turn", "worker", "retry", "result"
_OPEN = (AgentJob.Status.PENDING, AgentJob.Status.RUNNING)
_WORDS = {
    TURN: "Waits for its turn",
    WORKER: "Waits for a worker: none is at such jobs now",
    RETRY: "Waits for the next try",
    RESULT: "Is being worked on",
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """The state of an open job.

    `ahead`: the number of turns of other jobs before it; a job has one turn per document, at least
    one. `seconds`: the estimated time until the job ends; None if unknown."""

    reason: str
    ahead: int
    seconds: int | None
    next_try_at: datetime | None = None

    def to_wire(self) -> Wire:
        wire: Wire = {
            "for": self.reason,
            "ahead": self.ahead,
            "seconds_left": self.seconds,
            "text": self.words,
        }
        if self.next_try_at:
            wire["next_try_at"] = self.next_try_at
        return wire

    @property
    def words(self) -> str:
        parts = [_WORDS[self.reason]]
        if self.reason in {TURN, WORKER}:
            parts.append(f"{self.ahead:,} before it")
        left = "how long it takes is unknown"
        if self.seconds is not None:
            left = f"about {duration(self.seconds)} left"
        return f"{', '.join([*parts, left])}."


def duration(seconds: int) -> str:
    """The duration as text, rounded up as an estimate: "8 s", "3 min", "2 h"."""
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 5400:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3600)} h"


def of(job: AgentJob) -> Waiting | None:
    """What the job waits for; None if it has ended."""
    if job.status not in _OPEN or job.due_at is None:
        return None
    moment = now()
    if job.leased_until and job.leased_until > moment:
        return Waiting(RESULT, 0, _seconds_of_run(job, moment))
    if job.due_at > moment:
        return Waiting(RETRY, 0, None, next_try_at=job.due_at)
    measured = pace.of_queue(reads_documents=job.reads_documents)
    own_turns = max(1, job.documents)
    own_ahead, others = _turns_before(job, moment, turns=own_turns)
    ahead = own_ahead + others
    if measured is None:
        return Waiting(WORKER if _is_idle(job, moment) else TURN, ahead, None)
    seconds = measured.seconds_for(ahead + own_turns)
    # The turns of one job follow one after another, however many workers there are.
    least = measured.seconds * own_turns
    return Waiting(TURN, ahead, math.ceil(max(seconds, least)))


def _seconds_of_run(job: AgentJob, moment: datetime) -> int | None:
    """The remaining seconds of a running job; None if unknown, or if it runs unusually long."""
    measured = pace.of_queue(reads_documents=job.reads_documents)
    if measured is None or job.claimed_at is None or job.documents > 1:
        return None
    left = measured.seconds - (moment - job.claimed_at).total_seconds()
    if left >= 0:
        return math.ceil(left)
    return None


def _is_idle(job: AgentJob, moment: datetime) -> bool:
    """Whether no worker has a job of this queue."""
    leased = AgentJob.objects.filter(
        reads_documents=job.reads_documents, leased_until__gt=moment
    )
    return not leased.exists()


def _turns_before(job: AgentJob, moment: datetime, *, turns: int) -> tuple[int, int]:
    """The turns before this job: (of its own account, of other accounts until it has ended)."""
    free = _free(job, moment)
    own = free.filter(account=job.account_id)
    earlier = Q(is_bulk=job.is_bulk, due_at__lt=job.due_at)
    if job.is_bulk:
        earlier |= Q(is_bulk=False)
    own_ahead = _turns(own.filter(earlier))
    # Bulk jobs of others give way to an urgent job, so they do not count.
    rivals = free.exclude(account=job.account_id)
    if not job.is_bulk:
        rivals = rivals.filter(is_bulk=False)
    rows = rivals.order_by().values("account")
    counts = rows.annotate(jobs=Count("pk"), total=Sum("documents"))
    waiting = {}
    for row in counts:
        waiting[row["account"]] = max(row["jobs"], row["total"] or 0)
    shares = dict(
        Account.objects.filter(pk__in=[job.account_id, *waiting]).values_list(
            "pk", "share"
        )
    )
    return own_ahead, _of_others(job, waiting, shares, rounds=own_ahead + turns)


def _of_others(
    job: AgentJob,
    waiting: Mapping[int, int],
    shares: Mapping[int, int],
    *,
    rounds: int,
) -> int:
    total = 0
    for account, count in waiting.items():
        # While this account has `rounds` turns, each other account has as many in proportion to its
        # share, as long as it has work.
        most = math.ceil(rounds * shares[account] / shares[job.account_id])
        total += min(count, most)
    return total


def _free(job: AgentJob, moment: datetime) -> QuerySet[AgentJob]:
    """The jobs of the same queue that are due and not leased."""
    due = AgentJob.objects.filter(
        reads_documents=job.reads_documents, due_at__lte=moment
    )
    return due.filter(Q(leased_until=None) | Q(leased_until__lte=moment))


def _turns(rows: QuerySet[AgentJob]) -> int:
    sums = rows.order_by().aggregate(jobs=Count("pk"), total=Sum("documents"))
    return max(int(sums["jobs"]), int(sums["total"] or 0))
