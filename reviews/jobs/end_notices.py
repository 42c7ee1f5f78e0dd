"""Notices about the end of a job from webhooks, until the service's own answer confirms them.

A job webhook is stored with the job as a notice, and the service is polled.
"""

from __future__ import annotations

from django.utils.timezone import now

from compliance.security.personal_fields import sealed
from reviews.findings import notices
from reviews.findings.notices import Notice
from reviews.jobs import case_changes
from reviews.jobs.case_changes import LockedCase
from reviews.jobs.endings import Ending
from reviews.jobs.schedule import UNDER_WAY
from reviews.models import Job


def current(job: Job) -> Notice:
    """The notice as stored now: a webhook may have arrived since the job was read."""
    fresh = Job.objects.only("notice").get(pk=job.pk)
    return notices.of(fresh)


def store(job: Job, end: Ending) -> bool:
    """Store the end of the job that a webhook reports. Returns whether to poll the service."""
    fresh = _fresh(job)
    notice = notices.make(end.status, end.recommendation)
    has_ended = fresh.status not in UNDER_WAY
    if has_ended and notices.agrees(notice, fresh.status, fresh.recommendation):
        return False
    before = notices.of(fresh)
    if before.get("is_closed"):
        if notices.describe(before) == notices.describe(notice):
            return False  # the service was polled for this notice before
        before = {}
    notice = notices.worse(before, notice)
    stored = sealed(job, "notice", notice)
    Job.objects.filter(pk=job.pk).update(notice=stored)
    return True


def _fresh(job: Job) -> Job:
    """The present end of the job and its notice, from the database."""
    rows = Job.objects.only("notice", "status", "recommendation")
    return rows.get(pk=job.pk)


def close(job: Job, notice: Notice) -> None:
    """Mark the notice as closed: the service is not polled for it again. It stays stored."""
    closed = {**notice, "is_closed": True}
    stored = sealed(job, "notice", closed)
    Job.objects.filter(pk=job.pk).update(notice=stored, updated_at=now())


def compare(locked: LockedCase, job: Job, *, is_last: bool) -> tuple[list[str], bool]:
    """Compare the notice with the end of the job in the service's answer.

    Returns the reasons why a person must look at the case, and whether to poll again.
    """
    fresh = _fresh(job)
    notice = notices.of(fresh)
    if not notice or notice.get("is_closed"):
        return [], False
    if notices.agrees(notice, fresh.status, fresh.recommendation):
        empty = sealed(job, "notice", {})
        Job.objects.filter(pk=job.pk).update(notice=empty)
        return [], False
    # The record of the service may be late, so it gets more time.
    if not is_last:
        return [], True
    close(job, notice)
    if notice["status"] == fresh.status and not fresh.recommendation:
        # The answer has no recommendation, so there is no contradiction. An adverse
        # recommendation of the webhook applies.
        if notices.is_adverse(notice):
            changes = {"recommendation": notice["recommendation"]}
            case_changes.write_recommendation(locked, job, changes)
        return [], False
    answer = notices.make(fresh.status, fresh.recommendation)
    words_of_webhook = notices.describe(notice)
    words_of_service = notices.describe(answer)
    reason = (
        f"A webhook said: {words_of_webhook}."
        f" The service says: {words_of_service}, which counts."
    )
    return [reason], False
