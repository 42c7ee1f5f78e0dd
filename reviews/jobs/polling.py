"""Asking the service about a job: while it runs without news, and after it has ended."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now

from compliance.db import clock
from compliance.security.personal_fields import sealed
from compliance.work.rows import backoff
from reviews import results
from reviews.findings import confirmation, notices, recommendations
from reviews.findings.notices import Notice
from reviews.jobs import (
    case_changes,
    completion,
    end_notices,
    reopening,
    result_rows,
    schedule,
)
from reviews.jobs.case_changes import LockedCase
from reviews.jobs.endings import read_ending
from reviews.jobs.result_rows import plain_text
from reviews.models import Connection, Job
from reviews.service import pauses
from reviews.service.client import (
    KeyRefusedError,
    Service,
    ServiceError,
    job_id,
    job_status,
)
from reviews.wire import JsonObject

# A service that accepted a job and does not know it may be behind. After so many times it is not.
UNKNOWN_TRIES = 4
# A webhook says that the job ended, and the service cannot be asked: about half an hour.
NOTICE_TRIES = 12
# A running job without news is polled less and less often, but at least once in this time.
LONGEST_PAUSE = timedelta(minutes=5)
# A person is told of a job that runs for longer than this.
LONGEST_RUN = timedelta(days=1)


def poll(job: Job) -> None:
    """Ask about a running job: its webhooks may have been lost."""
    try:
        answer = _ask(job)
    except KeyRefusedError as exc:
        schedule.wait_for_key(job, job.connection, exc)
        return
    except ServiceError as exc:
        _handle_failed_poll(job, exc)
        return
    rows = result_rows.check_results(job, answer)
    if end := read_ending(answer, has_results=True):
        completion.apply_results(job, rows, end=end)
        return
    if rows:
        completion.apply_results(job, rows)
    _poll_later(job, answer)


def collect(job: Job) -> None:
    """Ask about a job that has ended: for its results, and whether the service confirms what
    webhooks brought since."""
    job.connection = Connection.objects.get(pk=job.connection_id)
    tries = job.tries + 1
    try:
        answer = _ask(job)
    except KeyRefusedError as exc:
        pauses.pause(job.connection, exc)
        job.complete(due_at=clock.now())
        return
    except ServiceError as exc:
        may_be_behind = exc.status == 404 and tries < UNKNOWN_TRIES
        if may_be_behind or not exc.permanent:
            job.complete(due_at=schedule.retry_time(exc, tries), tries=tries)
        else:
            _end_without_results(job, exc)
        return
    with transaction.atomic():
        waits = _apply_answer(job, answer, is_last=tries >= confirmation.TRIES)
        _add_reasons(job, answer)
        if waits:
            job.complete(
                has_results=True,
                due_at=backoff(tries),
                tries=tries,
            )
        else:
            job.complete(has_results=True, tries=0)


def _ask(job: Job) -> JsonObject:
    """What the service's own record says of the job. Raises ServiceError."""
    service = Service.of(job.connection)
    answer = service.get_job(job.remote_id)
    # Some services put the job into a frame.
    inner = answer.get("job")
    if isinstance(inner, dict) and job_status(answer.get("status")) is None:
        answer = inner
    answer_id = answer.get("id")
    if answer_id and job_id(answer_id) != job_id(job.remote_id):
        raise ServiceError(
            "getJobById: the answer is about another job.", permanent=False
        )
    has_results = isinstance(answer.get("check_results"), list)
    if has_results or read_ending(answer, has_results=True) is None:
        return answer
    # Some services give the results of a job only at an address of their own.
    try:
        check_results = service.get_check_results(job.remote_id)
    except KeyRefusedError:
        raise
    except ServiceError:
        return answer
    return {**answer, "check_results": check_results}


def _handle_failed_poll(job: Job, error: ServiceError) -> None:
    """Fail the job where asking again will not help; else try again later."""
    tries = job.tries + 1
    notice = end_notices.current(job)
    is_behind = error.status == 404 and tries < UNKNOWN_TRIES
    is_refused = error.permanent and not is_behind
    has_waited_enough = bool(notice) and tries >= NOTICE_TRIES
    if is_refused or has_waited_enough:
        completion.fail(job, error=f"{_unconfirmed(notice)}{error}")
    else:
        schedule.try_again(job, error)


def _unconfirmed(notice: Notice) -> str:
    """What goes before the reason why the service's answer does not confirm the notice."""
    if not notice:
        return ""
    return f"A webhook said: {notices.describe(notice)}. No answer confirms it: "


def _poll_later(job: Job, answer: JsonObject) -> None:
    """The job has not ended by the service's answer: set when it is polled next."""
    start = job.started_at or job.created_at
    run_time = now() - start
    if run_time > LONGEST_RUN:
        _raise_alarm_of_long_run(job)
    # The longer it runs, the less often it is polled.
    pause = min(run_time / 4, LONGEST_PAUSE)
    due = max(schedule.next_poll(), clock.now() + pause)
    error = _unknown_status(answer)
    job.complete(due_at=due, tries=0, error=error)
    if notice := end_notices.current(job):
        # A webhook says that the job has ended. The record of the service may be behind its
        # webhooks, so the desk polls sooner.
        polls = int(notice.get("asked") or 0) + 1
        notice = {**notice, "asked": polls}
        running = Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING)
        running.update(notice=sealed(job, "notice", notice), due_at=backoff(polls))


def _unknown_status(answer: JsonObject) -> str:
    """The error of a job with a status that the interface does not know, else ""."""
    spelling = answer.get("status")
    if job_status(spelling) is not None:
        return ""
    status = results.text(spelling, 80)
    words = f"“{status}”" if status else "no status"
    return f"The service says of this job: {words}. Whether it has ended cannot be told from that."


@transaction.atomic
def _raise_alarm_of_long_run(job: Job) -> None:
    locked = case_changes.lock(job)
    if not locked.is_newest(job):
        return
    since = job.started_at or job.created_at
    reason = (
        f"The job is under way since {since:%Y-%m-%d %H:%M} UTC."
        " The service does not say that it ended."
    )
    reopening.raise_alarm(locked.case, job, [reason])


@transaction.atomic
def _end_without_results(job: Job, error: ServiceError) -> None:
    """The service cannot be asked: what webhooks brought stays, and nothing confirms it."""
    is_unknown = error.status == 404
    locked = case_changes.lock(job)
    reasons = confirmation.close_unconfirmed(job, is_unknown=is_unknown)
    notice = end_notices.current(job)
    if notice and not notice.get("is_closed"):
        end_notices.close(job, notice)
        reasons.append(f"{_unconfirmed(notice)}{error}")
    if locked.is_newest(job):
        case_changes.refresh(locked, has_news=True, end=None)
    reopening.raise_alarm(locked.case, job, reasons)
    # Why the job failed is worth more than why its results are missing.
    words = job.error or f"The results could not be collected: {error}"
    job.complete(error=words)


def _apply_answer(job: Job, answer: JsonObject, *, is_last: bool) -> bool:
    """Apply the answer about a job that has ended, and compare with it what webhooks brought.

    Returns whether the service is to be asked again: its record may be behind.
    """
    rows = result_rows.check_results(job, answer)
    completion.apply_results(job, rows, is_collected=not job.has_results)
    locked = case_changes.lock(job)
    judgement = confirmation.compare(job, rows, is_last=is_last)
    reasons = list(judgement.reasons)
    reasons += _apply_other_end(locked, job, answer)
    contradictions, waits = end_notices.compare(locked, job, is_last=is_last)
    reasons += contradictions
    if judgement.is_news and locked.is_newest(job):
        case_changes.refresh(locked, has_news=True, end=None)
    if reasons:
        reopening.raise_alarm(locked.case, job, reasons)
    return judgement.waits or waits


def _apply_other_end(locked: LockedCase, job: Job, answer: JsonObject) -> list[str]:
    """Why a person must look at the case, where the service gives another end than before.

    A worse recommendation replaces the one before. A better one does not: people decide that.
    """
    end = read_ending(answer, has_results=True)
    # "retried" is not an end of its own: another run took the place of this one.
    is_retried = plain_text(answer.get("status")).strip().lower() == "retried"
    if end is None or is_retried:
        return []
    fresh = Job.objects.only("status", "recommendation").get(pk=job.pk)
    if end.status != fresh.status:
        return [
            f"The service says now that the job is {end.status}. It ended as {fresh.status}."
        ]
    before = fresh.recommendation
    after = end.recommendation[:64]
    is_same = before.casefold() == after.casefold()
    if end.status == Job.Status.FAILED or not after or is_same:
        return []
    before_word = recommendations.word(before)
    after_word = recommendations.word(after)
    if before and recommendations.gravity(after) <= recommendations.gravity(before):
        return [
            f"The service recommends “{after_word}” now."
            f" “{before_word}” stands until a person decides."
        ]
    case_changes.write_recommendation(locked, job, {**end.recommendation_fields})
    if not before:
        return []
    return [f"The service recommends “{after_word}” now. Before: “{before_word}”."]


def _add_reasons(job: Job, answer: JsonObject) -> None:
    """Store reasons that the job webhook did not carry: a service may give them only here."""
    end = read_ending(answer, has_results=True)
    if end is None or job.status != Job.Status.COMPLETE:
        return
    if not end.reasons and not end.requirements:
        return
    present = job.recommendation_reasons
    reasons = list(dict.fromkeys([*present, *end.reasons]))
    version = end.requirements or job.requirements_version
    if reasons == present and version == job.requirements_version:
        return
    changes = {
        "recommendation_reasons": reasons,
        "requirements_version": version,
    }
    locked = case_changes.lock(job)
    case_changes.write_recommendation(locked, job, changes)
