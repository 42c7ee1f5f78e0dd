"""Limits an account's open jobs and documents. More work waits at the client or in its batch.

Open are jobs that have not ended, and the documents that their checks read. The limits are columns
of the account, or else settings. A request is refused while a limit is reached, and otherwise
accepted as a whole. So a request with many cases may exceed the limit once, but no request is
refused forever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum

from agenthub.jobs import pace
from agenthub.models import Account, AgentJob
from compliance.http.limits.quotas import QuotaError

# Retry-After in seconds: the minimum, the maximum, and the value if the pace is unknown.
SHORTEST_WAIT, LONGEST_WAIT, USUAL_WAIT = 5, 600, 30


class NoRoomError(QuotaError):
    """The account has reached its limit of open jobs or documents."""


@dataclass(frozen=True, slots=True)
class Use:
    """The open amount of one kind (`what`) for an account, and its limit; 0: no limit."""

    what: str
    count: int
    limit: int

    @property
    def is_full(self) -> bool:
        return bool(self.limit) and self.count >= self.limit

    @property
    def room(self) -> int | None:
        """How many more are allowed; None: any number."""
        if self.limit:
            return max(0, self.limit - self.count)
        return None


def use(account: Account) -> list[Use]:
    """The open amounts and the limits of the account: jobs, then documents."""
    jobs_limit = _limit(account.max_open_jobs, settings.HUB_OPEN_JOBS)
    documents_limit = _limit(account.max_open_documents, settings.HUB_OPEN_DOCUMENTS)
    reads_documents = Q(reads_documents=True)
    counts = _open(account).aggregate(
        jobs=Count("pk"), documents=Sum("documents", filter=reads_documents)
    )
    return [
        Use("jobs", counts["jobs"], jobs_limit),
        Use("documents", counts["documents"] or 0, documents_limit),
    ]


def room_for_jobs(account: Account) -> int | None:
    """How many jobs of a batch may start now; None: any number.

    0 if too many documents are open.
    """
    jobs, documents = use(account)
    return 0 if documents.is_full else jobs.room


def check(account: Account) -> None:
    """Raises NoRoomError if a limit is reached."""
    for usage in use(account):
        if usage.is_full:
            raise NoRoomError(
                f"This account has {usage.count:,} {usage.what} open, of at most {usage.limit:,}. Nothing was stored:"
                " send it again later.",
                wait=seconds_until_room(account, usage),
            )


def seconds_until_room(account: Account, usage: Use) -> int:
    """The estimated time in seconds until a tenth of the open jobs or documents has ended."""
    of_documents = usage.what == "documents"
    measured = pace.of_queue(reads_documents=of_documents)
    if measured is None:
        return USUAL_WAIT
    seconds = measured.seconds_for(max(1, usage.count // 10))
    return min(LONGEST_WAIT, max(SHORTEST_WAIT, math.ceil(seconds)))


def _limit(own: int | None, setting: int) -> int:
    return setting if own is None else own


def _open(account: Account) -> QuerySet[AgentJob]:
    # A job has a `due_at` until it has ended, so the index of due jobs is sufficient.
    return AgentJob.objects.filter(account=account, due_at__isnull=False)
