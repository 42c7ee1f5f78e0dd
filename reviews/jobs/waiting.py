"""What a running job waits for, how many jobs are before it, and an estimate of the time left.

The desk cannot look into a service. It measures how long recent jobs of the same connection
took, and how often one ended. Without such jobs the time is unknown.
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

# Jobs that ended within this time are measured.
WINDOW = timedelta(minutes=10)
# The number of earlier cases that are read.
MOST = 200
# From this number of ended jobs on, the time between ends is measured, too.
ENOUGH = 3

# The reasons for waiting.
SENDING, ROOM, KEY, RETRY, RESULT = "sending", "room", "key", "retry", "result"


@dataclass(frozen=True, slots=True)
class Waiting:
    """An estimate of the wait.

    `ahead`: unfinished jobs of the connection for earlier cases, at most MOST. `seconds`: about
    how long until the job ends; None if unknown.
    """

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
    """What the job waits for; None if it has ended. `connection` is the connection of the job."""
    if not job.is_under_way:
        return None
    moment = now()
    rows = _earlier(job)
    ahead = sum(row.is_under_way for row in rows)
    reason = _reason(job, connection)
    if reason not in {SENDING, RESULT}:
        # Nobody knows when the service will accept the job.
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
    cases = Case.objects.filter(
        connection=job.connection_id,
        pk__lt=job.case_id,
    )
    newest_first = cases.order_by("-pk").values("pk")
    newest = newest_first[:MOST]
    rows = Job.objects.filter(
        case__in=newest,
        connection=job.connection_id,
    )
    rows = rows.only("status", "started_at", "ended_at")
    return list(rows)


def _seconds(job: Job, rows: Sequence[Job], ahead: int, moment: datetime) -> int | None:
    # Run times and ends of the jobs that ended within WINDOW.
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
        # If many jobs run in parallel, one ends more often than each takes.
        period = max(ends) - min(ends)
        gap = period.total_seconds() / (len(ends) - 1)
        pace = min(usual, gap)
    elapsed = timedelta()
    if job.started_at is not None:
        elapsed = moment - job.started_at
    left = max(usual - elapsed.total_seconds(), ahead * pace)
    # The job already takes longer than the others did, so no estimate is possible.
    if left > 0:
        return math.ceil(left)
    return None


def _duration(seconds: int) -> str:
    """A duration in words, rounded as an estimate."""
    if seconds < 60:
        return _("a minute")
    if seconds < 5400:
        return _("%(number)s min") % {"number": math.ceil(seconds / 60)}
    return _("%(number)s h") % {"number": math.ceil(seconds / 3600)}
