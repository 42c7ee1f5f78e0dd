"""The queue of jobs: a row is due until the job has ended and its results are collected.

While a job is QUEUED it is due to be sent. While it is RUNNING it is due to be polled when no news
came. Once it has ended it is due until its results were collected.
"""

from __future__ import annotations

from reviews.jobs import completion, polling
from reviews.jobs.schedule import UNDER_WAY
from reviews.jobs.start import start
from reviews.models import Job


def advance(job: Job) -> None:
    """Do what is due for this job."""
    if job.status == Job.Status.QUEUED:
        start(job)
    elif job.status == Job.Status.RUNNING:
        polling.poll(job)
    else:
        polling.collect(job)


def give_up(job: Job, reason: str) -> None:
    """End a job that the desk cannot work on: it must not stay under way for ever."""
    if job.status in UNDER_WAY:
        completion.fail(job, error=reason, has_results=True)
    else:
        job.complete(error=reason)
