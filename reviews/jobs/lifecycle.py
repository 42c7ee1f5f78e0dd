"""The work of a job by its status.

A QUEUED job is due to be sent. A RUNNING job is due to be polled if no webhook arrives. An
ended job is due until its results are collected.
"""

from __future__ import annotations

from reviews.jobs import completion, polling
from reviews.jobs.schedule import UNDER_WAY
from reviews.jobs.start import start
from reviews.models import Job


def advance(job: Job) -> None:
    """Do the work that is due for this job."""
    if job.status == Job.Status.QUEUED:
        start(job)
    elif job.status == Job.Status.RUNNING:
        polling.poll(job)
    else:
        polling.collect(job)


def give_up(job: Job, reason: str) -> None:
    """End a job that the desk cannot process, so that it does not stay under way for ever."""
    if job.status in UNDER_WAY:
        completion.fail(job, error=reason, has_results=True)
    else:
        job.complete(error=reason)
