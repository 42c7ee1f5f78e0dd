"""Polls the service about a job: while it runs without webhooks, and after it has ended."""

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

# A service that has accepted a job may not find it yet. After this number of attempts the job
# counts as unknown.
UNKNOWN_TRIES = 4
# If a webhook reported the end, and the service cannot be asked: attempts in about half an
# hour.
NOTICE_TRIES = 12
# Polls of a running job become rarer, up to this pause.
LONGEST_PAUSE = timedelta(minutes=5)
# A job that runs longer raises an alarm for a person.
LONGEST_RUN = timedelta(days=1)


def poll(job: Job) -> None:
    """Poll a running job, because its webhooks may have been lost."""
    try:
        answer = _ask(job)
    except KeyRefusedError as exc:
        schedule.wait_for_key(job, job.connection, exc)
        return
    except ServiceError as exc:
        _handle_failed_poll(job, exc)
        return
    with transaction.atomic():
        if not _ends_with_its_case(job):
            _apply_poll(job, answer)


def _apply_poll(job: Job, answer: JsonObject) -> None:
    rows = result_rows.check_results(job, answer)
    if end := read_ending(answer, has_results=True):
        completion.apply_results(job, rows, end=end)
        return
    if rows:
        completion.apply_results(job, rows)
    _poll_later(job, answer)


def _ends_with_its_case(job: Job) -> bool:
    """Whether the case was erased while the service was asked. Then nothing of the answer is kept.

    Locks the case, so that it is not erased before the transaction ends.
    """
    if case_changes.lock(job).case.erased_at is None:
        return False
    job.complete(due_at=None)
    return True


def collect(job: Job) -> None:
    """Poll an ended job for its results, and for the confirmation of webhook results.

    Called until the results are complete or the attempts are used up.
    """
    job.connection = Connection.objects.get(pk=job.connection_id)
    tries = job.tries + 1
    try:
        answer = _ask(job)
    except KeyRefusedError as exc:
        pauses.pause(job.connection, exc)
        job.complete(due_at=clock.now())
        return
    except ServiceError as exc:
        # 404 shortly after the end: the record of the service may be late.
        may_be_behind = exc.status == 404 and tries < UNKNOWN_TRIES
        if may_be_behind or not exc.permanent:
            job.complete(due_at=schedule.retry_time(exc, tries), tries=tries)
        else:
            _end_without_results(job, exc)
        return
    with transaction.atomic():
        if _ends_with_its_case(job):
            return
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
    """The service's record of the job, with its results. Raises ServiceError."""
    service = Service.of(job.connection)
    answer = service.get_job(job.remote_id)
    # Some services wrap the job in an object.
    inner = answer.get("job")
    if isinstance(inner, dict) and job_status(answer.get("status")) is None:
        answer = inner
    answer_id = answer.get("id")
    if answer_id and job_id(answer_id) != job_id(job.remote_id):
        raise ServiceError(
            "getJobById: the answer is about another job.", permanent=False
        )
    case_id = schema_of(answer).get("id")
    if case_id and str(case_id) != job.case.reference:
        raise ServiceError(
            "getJobById: the answer is about another case.", permanent=False
        )
    has_results = isinstance(answer.get("check_results"), list | dict)
    if has_results or read_ending(answer, has_results=True) is None:
        return answer
    # Some services return the results of a job only at their own endpoint.
    try:
        check_results = service.get_check_results(job.remote_id)
    except KeyRefusedError:
        raise
    except ServiceError:
        return answer
    return {**answer, "check_results": check_results}


def schema_of(answer: JsonObject) -> JsonObject:
    """The kyb_schema or kyc_schema in the answer about a job; empty if it has none."""
    payload = answer.get("input_payload")
    if not isinstance(payload, dict):
        return {}
    # Some services return the whole start request, with the schema as a member.
    schema = payload.get("kyb_schema") or payload.get("kyc_schema") or payload
    return schema if isinstance(schema, dict) else {}


def _handle_failed_poll(job: Job, error: ServiceError) -> None:
    """Fail the job if another call cannot help; otherwise try again later."""
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
    """The start of the error if a webhook has reported an end that no answer confirms."""
    if not notice:
        return ""
    return f"A webhook said: {notices.describe(notice)}. No answer confirms it: "


def _poll_later(job: Job, answer: JsonObject) -> None:
    """Set the time of the next poll. By the answer of the service, the job has not ended."""
    start = job.started_at or job.created_at
    run_time = now() - start
    if run_time > LONGEST_RUN:
        _raise_alarm_of_long_run(job)
    # The pause grows with the run time of the job.
    pause = min(run_time / 4, LONGEST_PAUSE)
    due = max(schedule.next_poll(), clock.now() + pause)
    error = _unknown_status(answer)
    job.complete(due_at=due, tries=0, error=error)
    if notice := end_notices.current(job):
        # A webhook has reported the end. The record of the service may be late, so the next
        # poll comes sooner.
        polls = int(notice.get("asked") or 0) + 1
        notice = {**notice, "asked": polls}
        running = Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING)
        running.update(notice=sealed(job, "notice", notice), due_at=backoff(polls))


def _unknown_status(answer: JsonObject) -> str:
    """The error for a status that the interface does not define; "" for a known one."""
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
    """End the collection without an answer: webhook results stay, unconfirmed."""
    if _ends_with_its_case(job):
        return
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
    # The error of the job itself matters more than why its results are missing.
    words = job.error or f"The results could not be collected: {error}"
    job.complete(error=words)


def _apply_answer(job: Job, answer: JsonObject, *, is_last: bool) -> bool:
    """Apply the answer about an ended job, and compare the webhook results with it.

    Returns whether to poll again, because the record of the service may be late.
    """
    rows = result_rows.check_results(job, answer)
    completion.apply_results(job, rows, is_collected=not job.has_results)
    # Read again, because `apply_results` has changed the case and its jobs.
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
    """The reasons for a person if the service now reports another end than before.

    A worse recommendation replaces the earlier one. A better one does not: people decide that.
    """
    end = read_ending(answer, has_results=True)
    # "retried" is not an end: another run replaced this one.
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
    """Store reasons that the job webhook did not have. Some services send them only here."""
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
