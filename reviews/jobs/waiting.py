"""What a job that is under way waits for, how many are before it, and about how long it takes.

The desk does not see into a service. It measures how long the jobs of the same connection took that
ended in the last minutes, and how often one ended. Where none did, it says that it does not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.jobs import schedule
from reviews.models import Case, Connection, Job
from reviews.wire import JsonObject

# Jobs that ended within this time count.
WINDOW = timedelta(minutes=10)
# So many cases before this one are looked at.
MOST = 200
# From so many ends on, the time between them is measured too.
ENOUGH = 3

# What it waits for.
SENDING, ROOM, KEY, RETRY, RESULT = "sending", "room", "key", "retry", "result"


@dataclass(frozen=True, slots=True)
class Waiting:
    """`ahead`: how many jobs of the connection began before it and have not ended, at most MOST.
    `seconds`: about how long until it has ended; None where that is not known."""

    reason: str
    ahead: int
    seconds: int | None

    def to_wire(self) -> JsonObject:
        return {
            "for": self.reason,
            "ahead": self.ahead,
            "seconds_left": self.seconds,
            "text": self.words,
        }

    @property
    def words(self) -> str:
        left = _("How long it takes is unknown.")
        if self.seconds is not None:
            duration = _duration(self.seconds)
            left = _("About %(duration)s left.") % {"duration": duration}
        if not self.ahead:
            return left
        words = {"count": self.ahead, "left": left}
        if self.ahead >= MOST:
            return _("%(count)d or more cases before it. %(left)s") % words
        sentence = ngettext(
            "%(count)d case before it. %(left)s",
            "%(count)d cases before it. %(left)s",
            self.ahead,
        )
        return sentence % words


def of(job: Job, connection: Connection) -> Waiting | None:
    """What the job waits for; None where it has ended. `connection` is that of the job."""
    if not job.is_under_way:
        return None
    moment = now()
    rows = _earlier(job)
    ahead = sum(row.is_under_way for row in rows)
    reason = _reason(job, connection)
    if reason not in {SENDING, RESULT}:
        # Nobody knows when the service takes it.
        return Waiting(reason, ahead, None)
    return Waiting(reason, ahead, _seconds(job, rows, ahead, moment))


def _reason(job: Job, connection: Connection) -> str:
    if connection.standing_pause:
        return KEY
    if job.status == Job.Status.RUNNING:
        return RESULT
    if schedule.waits_for_room(job):
        return ROOM
    return RETRY if job.error else SENDING


def _earlier(job: Job) -> list[Job]:
    """The jobs of the cases that were submitted before, newest first."""
    cases = Case.objects.filter(connection=job.connection_id, pk__lt=job.case_id)
    newest_first = cases.order_by("-pk").values("pk")
    newest = newest_first[:MOST]
    rows = Job.objects.filter(case__in=newest, connection=job.connection_id)
    rows = rows.only("status", "started_at", "ended_at")
    return list(rows)


def _seconds(job: Job, rows: Sequence[Job], ahead: int, moment: datetime) -> int | None:
    times: list[float] = []
    ends: list[datetime] = []
    earliest = moment - WINDOW
    for row in rows:
        if row.started_at is None or row.ended_at is None:
            continue
        if row.ended_at > earliest:
            time = row.ended_at - row.started_at
            times.append(time.total_seconds())
            ends.append(row.ended_at)
    if not times:
        return None
    usual = sum(times) / len(times)
    pace = usual
    if len(ends) >= ENOUGH:
        # Many run side by side: then one ends more often than each takes.
        period = max(ends) - min(ends)
        gap = period.total_seconds() / (len(ends) - 1)
        pace = min(usual, gap)
    elapsed = timedelta()
    if job.started_at is not None:
        elapsed = moment - job.started_at
    left = max(usual - elapsed.total_seconds(), ahead * pace)
    # It takes longer than the others did: nothing tells how much.
    if left > 0:
        return math.ceil(left)
    return None


def _duration(seconds: int) -> str:
    """In words, rounded as an estimate is."""
    if seconds < 60:
        return _("a minute")
    if seconds < 5400:
        return _("%(number)s min") % {"number": math.ceil(seconds / 60)}
    return _("%(number)s h") % {"number": math.ceil(seconds / 3600)}
