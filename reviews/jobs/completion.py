"""Applies the results and the end of a job to the job and its case, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.timezone import now

from compliance.db import clock
from compliance.work import notify
from compliance.work.rows import backoff
from reviews import results
from reviews.audit import trail
from reviews.findings import confirmation
from reviews.findings.values import readings
from reviews.jobs import case_changes, end_notices, reopening, result_rows, schedule
from reviews.jobs.case_changes import LockedCase
from reviews.jobs.endings import Ending
from reviews.jobs.schedule import UNDER_WAY
from reviews.models import Case, CaseEvent, CheckResult, Job


def complete(job: Job, *, recommendation: str, has_results: bool = False) -> None:
    """End a job that the service has completed."""
    end = Ending(Job.Status.COMPLETE, recommendation, has_results=has_results)
    apply_results(job, end=end)


def fail(job: Job, *, error: str, has_results: bool = False) -> None:
    """End a job that failed. `error` is shown to the analyst."""
    # The service never accepted a queued job, so there are no results to collect.
    was_refused = job.status == Job.Status.QUEUED
    end = Ending(
        Job.Status.FAILED,
        error=error,
        has_results=has_results or was_refused,
    )
    apply_results(job, end=end)


@transaction.atomic(savepoint=False)
def apply_results(
    job: Job,
    rows: Sequence[CheckResult] = (),
    *,
    end: Ending | None = None,
    is_collected: bool = False,
) -> None:
    """Apply the service's own answer: its results, and the end of the job if it has ended.

    Each result is stored next to other results for the same check; `reviews.results` decides
    which one is effective. `is_collected`: the job has just ended and these are its results, so
    they do not count as late.
    """
    # Lock first (see case_changes.lock), then store the rows: everything below reads them.
    locked = case_changes.lock(job)
    case = locked.case
    for row in rows:
        row.rank = results.rank(row, case.self_attested_data)
        row.confirmation = CheckResult.Confirmation.CONFIRMED
    is_over = locked.status not in UNDER_WAY and not is_collected
    new_rows = result_rows.save(job, rows, is_over=is_over)
    readings.record(case, rows)
    late_rows = _record_late_results(case, job, new_rows)

    # Another worker may have ended the job already. Then this end has no effect.
    if end and not _end_job(job, end):
        end = None
    if rows and job.status == Job.Status.RUNNING:
        schedule.postpone_poll(job)

    reasons = _compare_with_webhooks(locked, job, rows, end)
    if locked.is_newest(job):
        case_changes.refresh(locked, has_news=bool(rows), end=end)
        is_complete = job.status == Job.Status.COMPLETE
        if is_complete and (end or is_collected):
            reopening.reopen_after_job(case, job)
            reasons += reopening.reasons_of_silence(locked, job)
    reasons += reopening.reasons_of_late_results(late_rows)
    if reasons:
        reopening.raise_alarm(case, job, reasons)
    if end:
        _record_end(case, job, end, rows)
    else:
        _record_rows(case, job, rows)


@transaction.atomic(savepoint=False)
def apply_webhooks(
    job: Job,
    rows: Sequence[CheckResult] = (),
    *,
    ends: Sequence[Ending] = (),
    locked: LockedCase | None = None,
) -> None:
    """Apply what webhooks report about a job: show it at once, and poll the service.

    The end of the job takes effect only when getJobById confirms it. A result that arrives
    after the end leads to a poll, unless the record of the service is known to contain it.
    `locked`: the case, if this transaction has locked it already.
    """
    locked = locked or case_changes.lock(job)
    case = locked.case
    is_over = locked.status not in UNDER_WAY
    for row in rows:
        row.rank = results.rank(row, case.self_attested_data)
    confirmation.mark_webhook_results(job, rows, is_over=is_over)
    new_rows = result_rows.save(job, rows, is_over=is_over)
    readings.record(case, rows)
    _record_rows(case, job, rows)

    needs_poll = _needs_poll(job, new_rows, ends)
    # `locked.status` may be out of date, because the job may have been started since. Storing
    # the notice locks the row of the job. So a concurrent start either committed before and is
    # visible to this query, or runs afterwards and reads the notice.
    started = Job.objects.filter(pk=job.pk).exclude(status=Job.Status.QUEUED)
    if needs_poll and started.update(due_at=clock.now(), updated_at=now()):
        notify.after_commit(schedule.QUEUE)
    elif rows and locked.status == Job.Status.RUNNING:
        schedule.postpone_poll(job)

    if rows and locked.is_newest(job):
        case_changes.refresh(locked, has_news=True, end=None)
    late_rows = _record_late_results(case, job, new_rows)
    if reasons := reopening.reasons_of_late_results(late_rows):
        reopening.raise_alarm(case, job, reasons)


def _needs_poll(
    job: Job, new_rows: Sequence[CheckResult], ends: Sequence[Ending]
) -> bool:
    """Store the notices about the end of the job. Returns whether to poll the service now."""
    needs_poll = False
    for row in new_rows:
        if row.confirmation == CheckResult.Confirmation.WAITING:
            needs_poll = True
    for end in ends:
        if end_notices.store(job, end):
            needs_poll = True
    return needs_poll


def _compare_with_webhooks(
    locked: LockedCase, job: Job, rows: Sequence[CheckResult], end: Ending | None
) -> list[str]:
    """Compare the webhook results that arrived while the job ran with the answer that ends it.

    Returns the reasons why a person must look at the case.
    """
    if end is None or not end.has_results:
        return []  # the results are collected later, and compared then
    if not end.is_answer:
        confirmation.close_unconfirmed(job)
        return []
    judgement = confirmation.compare(job, rows, is_last=False)
    reasons, waits = end_notices.compare(locked, job, is_last=False)
    if judgement.waits or waits:
        Job.objects.filter(pk=job.pk).update(due_at=backoff(1))
    return [*judgement.reasons, *reasons]


def _end_job(job: Job, end: Ending) -> bool:
    """End the job. Returns False if it had ended before."""
    changes: dict[str, object] = {
        "error": end.error,
        "ended_at": now(),
        "has_results": end.has_results,
        "tries": 0,
        "due_at": None if end.has_results else now(),
        "leased_until": None,
    }
    if end.status == Job.Status.COMPLETE:
        changes |= end.recommendation_fields
    has_moved = job.move(end.status, **changes)
    if has_moved and not end.has_results:
        notify.after_commit(schedule.QUEUE)
    return has_moved


def _record_late_results(
    case: Case, job: Job, new_rows: Sequence[CheckResult]
) -> Sequence[CheckResult]:
    """Record in the trail each new result that arrived after a decision, and return these
    results.
    """
    if case.status not in reopening.DECIDED_BY_PEOPLE:
        return ()
    for row in new_rows:
        data = {"check": row.check_id, "job": job.remote_id}
        trail.record(case, "late_result", data, actor=CaseEvent.Actor.AGENT)
    return new_rows


def _record_rows(case: Case, job: Job, rows: Sequence[CheckResult]) -> None:
    stored = _written(rows)
    if not stored:
        return
    checks = {row.check_id for row in stored}
    data = {"job": job.remote_id, "checks": sorted(checks)}
    actor = CaseEvent.Actor.AGENT
    trail.record(case, "results_received", data, actor=actor, about=stored)


def _written(rows: Sequence[CheckResult]) -> list[CheckResult]:
    """The rows that were written. Of two equal rows only one was, and has a primary key."""
    stored = {row.pk: row for row in rows}
    return [row for pk, row in stored.items() if pk]


def _record_end(case: Case, job: Job, end: Ending, rows: Sequence[CheckResult]) -> None:
    """Record the end of the job in the trail. `rows`: the results that arrived with it."""
    data = {"job": job.remote_id}
    if end.status == Job.Status.COMPLETE:
        what = "job_complete"
        data["recommendation"] = end.recommendation
    else:
        what = "job_failed"
        data["error"] = end.error
    about = [job, *_written(rows)]
    trail.record(case, what, data, actor=CaseEvent.Actor.AGENT, about=about)
