"""The changes that a job makes to its case: summary, risk, status and recommendation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils.timezone import now

from compliance.db.states import stored_values
from reviews import results
from reviews.audit import trail
from reviews.findings import check_runs
from reviews.jobs.endings import Ending
from reviews.models import Case, CaseEvent, Decision, Job, SubscriptionEvent
from reviews.models.search import forms
from reviews.people import sla
from reviews.subscriptions import announcements

# In these statuses, people decide what comes next. A job does not move the case.
STATES_OF_PEOPLE = (
    Case.Status.WAITING,
    Case.Status.ESCALATED,
    Case.Status.SECOND,
    Case.Status.DECIDED,
)


@dataclass(frozen=True, slots=True)
class LockedCase:
    """A case that this transaction has locked, and its jobs, newest first.

    `status` is the present status of the job for which the case was locked, read from the
    database.
    """

    case: Case
    jobs: list[Job]
    status: str

    def is_newest(self, job: Job) -> bool:
        return self.jobs[0] == job

    def is_newest_of_all_checks(self, job: Job) -> bool:
        """Whether the job is the newest of those that ran all checks."""
        for other in self.jobs:
            if not other.check_id:
                return other == job
        return False


def lock(job: Job) -> LockedCase:
    """Lock the case of a job. Whoever writes to a case and its jobs locks the case first.

    Without the lock, two results that arrive at the same time would each miss the other in the
    summary. The order prevents a deadlock between a transaction that holds the job and one that
    holds the case.
    """
    case = Case.objects.select_for_update().get(pk=job.case_id)
    job.case = case
    rows = Job.objects.filter(case=case).order_by("-created_at")
    jobs = []
    status = job.status
    for other in rows.only("case", "check_id", "status", "created_at"):
        if other == job:
            status = other.status
            jobs.append(job)
        else:
            jobs.append(other)
    return LockedCase(case, jobs, status)


def refresh(locked: LockedCase, *, has_news: bool, end: Ending | None) -> None:
    """Update the case from its newest job.

    `has_news`: results arrived or changed their state. `end`: how the newest job ended, if it
    has just ended.
    """
    case = locked.case
    newest = locked.jobs[0]
    changes: dict[str, object] = {}
    if has_news or end:
        changes = _summary_fields(locked)
    if end and end.status == Job.Status.COMPLETE:
        if not newest.check_id:
            changes |= end.recommendation_fields
        # The job of another system must not undo what people have decided in the meantime.
        if case.status in STATES_OF_PEOPLE:
            has_news = True
        elif case.move(Case.Status.TO_REVIEW, **changes):
            announcements.announce(case, SubscriptionEvent.READY)
            return
    elif end and case.move(Case.Status.ATTENTION, **changes):
        announcements.announce(case, SubscriptionEvent.NEEDS_ATTENTION)
        return
    if has_news:
        write(case, changes)


def write(case: Case, changes: Mapping[str, object]) -> None:
    """Write fields of the case without signals. `updated_at` changes, so open forms are stale."""
    values = stored_values(case, changes)
    Case.objects.filter(pk=case.pk).update(updated_at=now(), **values)
    for name, value in changes.items():
        setattr(case, name, value)


def write_recommendation(
    locked: LockedCase, job: Job, changes: Mapping[str, object]
) -> None:
    """Write a recommendation to an ended job.

    The case gets it, too, unless a later job ran all checks.
    """
    Job.objects.filter(pk=job.pk).update(**stored_values(job, changes))
    row = Job.objects.get(pk=job.pk)
    data = {"job": row.remote_id, "recommendation": row.recommendation}
    trail.record(
        locked.case,
        "recommendation_changed",
        data,
        actor=CaseEvent.Actor.AGENT,
        about=[row],
    )
    if locked.is_newest_of_all_checks(job):
        write(locked.case, changes)


def _summary_fields(locked: LockedCase) -> dict[str, object]:
    """The fields that the queue shows, from the effective results.

    The risk and the due time change only when the job has ended.
    """
    case = locked.case
    effective = check_runs.EffectiveResults.after(locked.jobs)
    documents = list(case.documents.order_by("created_at"))
    summary = results.summarise(case, effective.rows, documents)
    members: dict[str, object] = {**summary}
    changes: dict[str, object] = {
        # The first finding may contain names, so it is encrypted. The queue filters by the
        # rest.
        "first_finding": members.pop("finding"),
        "summary": members,
        "severity": results.severity_of(summary),
    }
    if not locked.jobs[0].is_under_way:
        _keep_readings(case, results.readings(effective.rows, documents))
        risk = results.risk_of(summary)
        changes["risk"] = risk
        changes["due_at"] = _due_time(case, risk)
    return changes


def _keep_readings(case: Case, readings: str) -> None:
    """Make the case searchable by the text that a service read from its documents."""
    text = forms.with_forms(readings)
    row = case.search_texts.filter(page=None, is_reading=True).first()
    if row is None and text:
        row = case.search_texts.create(is_reading=True, text=text)
        row.keep_words(readings, is_new=True)
    elif row is not None and row.text != text:
        row.text = text
        row.save(update_fields=["text"])
        row.keep_words(readings)


def _due_time(case: Case, risk: int) -> datetime:
    reopened = case.decisions.filter(status=Decision.Status.REOPENED)
    reopened_at: datetime | None = reopened.aggregate(at=Max("updated_at"))["at"]
    due = sla.due(case, risk=risk, since=case.alarm_at or reopened_at)
    # A case with an open alarm never gets a later due time.
    if case.alarm:
        return min(due, case.due_at)
    return due
