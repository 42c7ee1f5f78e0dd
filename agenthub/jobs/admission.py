"""How much of an account may be open at a time: what is more waits at the client, or in its batch.

Open are the jobs that have not ended, and the documents that their checks read. The limits are
columns of the account, else settings. A request is refused while a limit is reached, and taken as a whole
while none is: so a request of many cases may go beyond the limit once, and none can be refused for ever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet, Sum

from agenthub.jobs import pace
from agenthub.models import Account, AgentJob
from compliance.http.limits.quotas import QuotaError

# Seconds after which a client may ask again: at least, at most, and where the pace is unknown.
SHORTEST_WAIT, LONGEST_WAIT, USUAL_WAIT = 5, 600, 30


class NoRoomError(QuotaError):
    """The account has as many jobs or documents open as it may have."""


@dataclass(frozen=True, slots=True)
class Use:
    """What of one kind is open for an account, and the limit; 0: none."""

    what: str
    count: int
    limit: int

    @property
    def is_full(self) -> bool:
        return bool(self.limit) and self.count >= self.limit

    @property
    def room(self) -> int | None:
        """How many more; None: any."""
        if self.limit:
            return max(0, self.limit - self.count)
        return None


def use(account: Account) -> list[Use]:
    """What is open, and the limits of the account."""
    jobs_limit = _limit(account.max_open_jobs, settings.HUB_OPEN_JOBS)
    documents_limit = _limit(account.max_open_documents, settings.HUB_OPEN_DOCUMENTS)
    documents = _open(account).filter(reads_documents=True)
    total = documents.aggregate(total=Sum("documents"))["total"]
    return [
        Use("jobs", _open(account).count(), jobs_limit),
        Use("documents", total or 0, documents_limit),
    ]


def room_for_jobs(account: Account) -> int | None:
    """How many jobs of a batch may be started now; None: any. 0 also where its documents are too many."""
    jobs, documents = use(account)
    return 0 if documents.is_full else jobs.room


def check(account: Account) -> None:
    """Raises NoRoomError while a limit is reached."""
    for usage in use(account):
        if usage.is_full:
            raise NoRoomError(
                f"This account has {usage.count:,} {usage.what} open, of at most {usage.limit:,}. Nothing was stored:"
                " send it again later.",
                wait=seconds_until_room(account, usage),
            )


def seconds_until_room(account: Account, usage: Use) -> int:
    """When to ask again: about when a tenth of what is open will have ended."""
    of_documents = usage.what == "documents"
    measured = pace.of_queue(reads_documents=of_documents)
    seconds = measured.seconds_for(max(1, usage.count // 10))
    if seconds is None:
        return USUAL_WAIT
    return min(LONGEST_WAIT, max(SHORTEST_WAIT, math.ceil(seconds)))


def _limit(own: int | None, setting: int) -> int:
    return setting if own is None else own


def _open(account: Account) -> QuerySet[AgentJob]:
    # A job is due until it has ended: the index of due jobs has no others.
    return AgentJob.objects.filter(account=account, due_at__isnull=False)
