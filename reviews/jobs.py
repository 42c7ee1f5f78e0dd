"""The life of a job as the desk sees it: sent, answered, ended, its results collected.

A job row is work: while it is QUEUED it is due to be sent, while RUNNING it is due to be asked
after when no news came, and once it has ended it is due until its results were collected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from compliance import bell, work
from reviews import documents, results
from reviews.client import Service, ServiceError, job_status
from reviews.models import Case, CaseEvent, CheckResult, Job

LANE = "reviews.jobs"

# A service that does not know a job it has accepted may be behind; after this many times it is not.
UNKNOWN_TRIES = 4


def queue(case: Case, *, job_id: Any = None) -> Job:
    """Make a job for the case, to be sent as soon as this transaction commits."""
    identity = {"id": job_id} if job_id else {}
    job = Job(case=case, connection=case.connection, agent=case.agent, **identity)
    job.remote_id = str(job.pk)
    job.save(force_insert=True)
    bell.ring(LANE)
    return job


def advance(job: Job) -> None:
    """Do whatever is due for this job."""
    if job.status == Job.Status.QUEUED:
        start(job)
    elif job.status == Job.Status.RUNNING:
        reconcile(job)
    else:
        collect(job)


def start(job: Job) -> None:
    """Ask the service to run the job. A 409 says that it already does."""
    case = Case.objects.select_related("connection", "agent").get(pk=job.case_id)
    hook = settings.CALLBACK_URL + reverse("webhook", args=[case.connection.slug])
    try:
        if case.agent is None:
            raise ServiceError("No agent is set for this case.", permanent=True)
        if not case.connection.is_active:
            raise ServiceError("The connection is switched off.", permanent=True)
        Service.of(case.connection).start_job(
            case.kind,
            agent_key=case.agent.agent_key,
            schema=to_wire(case),
            job_id=job.remote_id,
            webhook_url=hook,
            tool_webhook_url=hook,
        )
    except ServiceError as exc:
        if exc.permanent:
            fail(job, error=str(exc))
        else:
            _try_again(job, exc)
        return
    # False where the job webhook was faster: then the job has ended already.
    job.move(
        Job.Status.RUNNING,
        started_at=now(),
        error="",
        tries=0,
        due_at=_next_news(),
        leased_until=None,
    )


def reconcile(job: Job) -> None:
    """Ask after a job that gave no news: its webhooks may have been lost."""
    try:
        found = Service.of(job.connection).get_job(job.remote_id)
    except ServiceError as exc:
        if exc.permanent and (exc.status != 404 or job.tries + 1 >= UNKNOWN_TRIES):
            fail(job, error=str(exc))
        else:
            _try_again(job, exc)
        return
    record_check_results(job, found)
    status = job_status(found.get("status"))
    if status == Job.Status.COMPLETE:
        complete(job, recommendation=_text(found.get("recommendation")), has_results=True)
    elif status == Job.Status.FAILED:
        fail(job, error=failure(found), has_results=True)
    else:
        tries = job.tries + 1
        job.settle(due_at=max(_next_news(), work.backoff(tries)), tries=tries, error="")


def collect(job: Job) -> None:
    """Fetch the results of a job that has ended, which fills what lost webhooks left out."""
    try:
        found = Service.of(job.connection).get_job(job.remote_id)
    except ServiceError as exc:
        if exc.permanent:
            job.settle(error=job.error or f"The results could not be collected: {exc}")
        else:
            job.settle(due_at=_when(exc, job.tries + 1), tries=job.tries + 1)
        return
    record_check_results(job, found)
    job.settle(has_results=True, tries=0)


def give_up(job: Job, reason: str) -> None:
    """End a job that we cannot work on, with the reason: it must never hang."""
    if job.status in {Job.Status.QUEUED, Job.Status.RUNNING}:
        fail(job, error=reason, has_results=True)
    else:
        job.settle(error=reason)


def record_result(
    job: Job, *, source: str, check_id: str, body: Any, passed: bool | None, status: str = ""
) -> None:
    """Keep what a check or a tool said, once, and bring the case's summary up to date."""
    subject = _subject(body) if source == CheckResult.Source.TOOL else ""
    _keep(job, [_result(job, source, check_id, subject, body, passed, status)])


@transaction.atomic(savepoint=False)
def complete(job: Job, *, recommendation: str, has_results: bool = False) -> None:
    """The service ran the job to its end."""
    case = _locked_case(job)
    moved = job.move(
        Job.Status.COMPLETE,
        recommendation=recommendation[:64],
        error="",
        **_ending(has_results=has_results),
    )
    if not moved:
        return
    bell.ring(LANE)
    if _is_newest(job):
        summary = case.summary or results.summarise(job)  # each result has brought it up to date
        case.move(Case.Status.TO_REVIEW, recommendation=recommendation[:64], summary=summary)
    tell(case, "job_complete", {"job": job.remote_id, "recommendation": recommendation})


@transaction.atomic(savepoint=False)
def fail(job: Job, *, error: str, has_results: bool = False) -> None:
    """The job could not be run to its end; `error` is shown to the analyst."""
    known = has_results or job.status == Job.Status.QUEUED  # nothing to collect of a refused job
    case = _locked_case(job)
    if not job.move(Job.Status.FAILED, error=error, **_ending(has_results=known)):
        return
    bell.ring(LANE)
    if _is_newest(job):
        case.move(Case.Status.ATTENTION)
    tell(case, "job_failed", {"job": job.remote_id, "error": error})


def _locked_case(job: Job) -> Case:
    """The case, for this transaction alone. All that write to it and its jobs lock it first.

    Two results side by side would each miss the other's in the summary, and whoever has the job
    and wants the case would wait for ever for who has the case and wants the job.
    """
    return Case.objects.select_for_update().get(pk=job.case_id)


def ask_soon(job: Job) -> None:
    """Have the service asked about a running job now: it said something that we cannot place."""
    if Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(due_at=now()):
        bell.ring(LANE)


def tell(case: Case, what: str, data: Mapping[str, Any], *, user: Any = None) -> None:
    """Add a line to the case's audit trail."""
    actor = CaseEvent.Actor.PERSON if user else CaseEvent.Actor.AGENT
    case.events.create(actor=actor, user=user, what=what, data=dict(data))


def to_wire(case: Case) -> dict[str, Any]:
    """The kyb_schema or kyc_schema of the case, documents as signed URLs."""
    data = dict(case.self_attested_data)
    for document in case.documents.all():
        data.setdefault(document.kind, []).append(documents.to_wire(document))
    return {**case.schema_extra, "id": case.reference, "self_attested_data": data}


def record_check_results(job: Job, found: Mapping[str, Any]) -> None:
    """Keep the check results that a job carries, where it carries any."""
    items = found.get("check_results")
    said: dict[str, CheckResult] = {}
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        inner = item.get("result")
        passed = inner.get("passed") if isinstance(inner, dict) else None
        check_id = _text(item.get("check_id") or item.get("command_id") or item.get("type"))
        passed = passed if isinstance(passed, bool) else None
        status = _text(item.get("status"))
        row = _result(job, CheckResult.Source.CHECK, check_id, "", item, passed, status)
        said[row.check_id] = row  # of two with one id the later one stands
    if said:
        _keep(job, list(said.values()))


def _result(
    job: Job,
    source: str,
    check_id: str,
    subject: str,
    body: Any,
    passed: bool | None,  # noqa: FBT001
    status: str,
) -> CheckResult:
    return CheckResult(
        job=job,
        source=source,
        check_id=check_id[:200],
        subject=subject,
        body=body,
        passed=passed,
        status=status[:40],
    )


@transaction.atomic(savepoint=False)
def _keep(job: Job, rows: Sequence[CheckResult]) -> None:
    """Keep results, each once: a later one of the same subject takes the place of the first."""
    case = job.case = _locked_case(job)
    is_decided = case.status == Case.Status.DECIDED
    known = {_identity(row) for row in job.check_results.defer("body")} if is_decided else set()
    CheckResult.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["job", "source", "check_id", "subject"],
        update_fields=["body", "passed", "status"],
    )
    # News: the job need not be asked after for a while.
    Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(due_at=_next_news())
    if _is_newest(job):
        case.summary = results.summarise(job)
        case.save(update_fields=["summary", "updated_at"])
    for row in rows if is_decided else ():
        if _identity(row) not in known:
            tell(case, "late_result", {"check": row.check_id, "job": job.remote_id})


def _identity(row: CheckResult) -> tuple[str, str, str]:
    return row.source, row.check_id, row.subject


def _subject(body: Any) -> str:
    """What tells two results of one tool apart: the document, else the content itself."""
    payload = body.get("payload") if isinstance(body, dict) else None
    document = payload.get("document") if isinstance(payload, dict) else None
    if isinstance(document, dict) and (name := document.get("url") or document.get("file_name")):
        return _text(name)[:255]
    text = orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return "sha256:" + hashlib.sha256(text).hexdigest()


def _try_again(job: Job, exc: ServiceError) -> None:
    tries = job.tries + 1
    job.settle(due_at=_when(exc, tries), tries=tries, error=str(exc))


def _when(exc: ServiceError, tries: int) -> Any:
    if exc.retry_after is not None:
        return now() + timedelta(seconds=exc.retry_after)
    return work.backoff(tries)


def _next_news() -> Any:
    return now() + timedelta(seconds=settings.JOB_NEWS_SECONDS)


def _ending(*, has_results: bool) -> dict[str, Any]:
    due = None if has_results else now()
    return {
        "ended_at": now(), "has_results": has_results, "tries": 0,
        "due_at": due, "leased_until": None,
    }  # fmt: skip


def _is_newest(job: Job) -> bool:
    return not Job.objects.filter(case_id=job.case_id, created_at__gt=job.created_at).exists()


def failure(found: Mapping[str, Any]) -> str:
    """Why a job failed, in the service's words where it has any."""
    said = found.get("error") or found.get("message")
    return _text(said) if said else "The service reported that the job failed."


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
