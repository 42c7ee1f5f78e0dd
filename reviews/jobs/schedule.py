"""When the service is called again about a job."""

from __future__ import annotations

from datetime import datetime, timedelta
from http import HTTPStatus

from django.conf import settings

from compliance.db import clock
from compliance.work import notify
from compliance.work.rows import backoff
from reviews.models import Connection, Job
from reviews.service import pauses
from reviews.service.client import KeyRefusedError, ServiceError

QUEUE = pauses.JOBS_QUEUE
# The start of the error of a job that the service has no capacity for (HTTP 429).
NO_ROOM = "The service takes no more at the moment."
# Seconds. A Retry-After of 0, or of a time in the past, must not become a loop without a pause.
SHORTEST_WAIT = 2.0
UNDER_WAY = (Job.Status.QUEUED, Job.Status.RUNNING)


def next_poll() -> datetime:
    """When to poll a running job if no webhook arrives before."""
    return clock.now() + timedelta(seconds=settings.JOB_NEWS_SECONDS)


def retry_time(error: ServiceError, tries: int) -> datetime:
    """When to call the service again after `tries` failed calls."""
    if error.retry_after is not None:
        # The service has sent Retry-After.
        seconds = max(error.retry_after, SHORTEST_WAIT)
        return clock.now() + timedelta(seconds=seconds)
    return backoff(tries)


def try_again(job: Job, error: ServiceError) -> None:
    """Count a failed call, and schedule another one."""
    tries = job.tries + 1
    due = retry_time(error, tries)
    words = str(error)
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        words = f"{NO_ROOM} {words}"
    job.complete(due_at=due, tries=tries, error=words)


def waits_for_room(job: Job) -> bool:
    """Whether the service answered that it has no capacity at the moment."""
    return str(job.error).startswith(NO_ROOM)


def wait_for_key(job: Job, connection: Connection, error: KeyRefusedError) -> None:
    """Pause the connection, because the service rejects the API key.

    The job stays due and no attempt is counted. No worker claims the job before the pause ends.
    """
    pauses.pause(connection, error)
    job.complete(due_at=clock.now(), error=pauses.WAITS)


def poll_soon(job: Job) -> None:
    """Poll a running job now: a webhook has content that the desk cannot read."""
    running = Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING)
    if running.update(due_at=clock.now()):
        notify.after_commit(QUEUE)


def postpone_poll(job: Job) -> None:
    """Postpone the poll, because a webhook arrived. A job that is due already stays due."""
    due = next_poll()
    # A series of webhooks would write the same row many times. A poll that is a little early
    # does no harm, so only a large difference is written.
    enough = timedelta(seconds=settings.JOB_NEWS_SECONDS / 4)
    if job.due_at is not None and due - job.due_at <= enough:
        return
    waiting = Job.objects.filter(
        pk=job.pk,
        status=Job.Status.RUNNING,
        due_at__gt=clock.now(),
    )
    waiting.update(due_at=due)
