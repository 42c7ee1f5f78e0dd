"""The life of a job as the desk sees it: sent, answered, ended, its results collected.

A job row is work: while it is QUEUED it is due to be sent, while RUNNING it is due to be asked
after when no news came, and once it has ended it is due until its results were collected.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.utils.timezone import now

from compliance import bell, statements, work
from reviews import alarms, audit, clocks, documents, results, runs
from reviews.client import Service, ServiceError, job_status
from reviews.models import Agent, Case, CaseEvent, CheckResult, Connection, Document, Job

LANE = "reviews.jobs"

_TOKEN = re.compile(rb'(/documents/[0-9a-f-]{36}/file/)[^/"]+')
# A service that does not know a job it has accepted may be behind; after this many times it is not.
UNKNOWN_TRIES = 4
# A running job that says nothing is asked after more and more rarely, down to once in this time.
QUIET = timedelta(minutes=5)
# Where people, not jobs, say what comes next.
IN_HANDS = (Case.Status.WAITING, Case.Status.ESCALATED, Case.Status.SECOND, Case.Status.DECIDED)


def queue(case: Case, *, job_id: Any = None, check_id: str = "") -> Job:
    """Make a job for the case, of all checks or of one, sent as soon as this transaction commits."""
    identity = {"id": job_id} if job_id else {}
    job = Job(
        case=case, connection=case.connection, agent=case.agent, check_id=check_id, **identity
    )
    job.remote_id = str(job.pk)
    statements.insert([job])
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
    case = _case_of(job)
    # As reverse() says, which would load every page of the site into the worker.
    hook = f"{settings.CALLBACK_URL}/webhooks/{case.connection.slug}/"
    try:
        if case.agent is None:
            raise ServiceError("No agent is set for this case.", permanent=True)
        if not case.connection.is_active:
            raise ServiceError("The connection is switched off.", permanent=True)
        schema = to_wire(case)
        options: dict[str, Any] = {"webhook_url": hook, "tool_webhook_url": hook}
        options["job_id"] = job.remote_id
        job.sent = _without_tokens(job, {f"{case.kind}_schema": schema, **options})
        service, agent_key = Service.of(case.connection), case.agent.agent_key
        if job.check_id:
            options |= {f"{case.kind}_schema": schema}
            service.run_check(job.check_id, agent_key=agent_key, **options)
        else:
            service.start_job(case.kind, agent_key=agent_key, schema=schema, **options)
    except ServiceError as exc:
        statements.update(Job, {"sent": job.sent}, pk=job.pk)
        if exc.permanent:
            fail(job, error=str(exc))
        else:
            _try_again(job, exc)
        return
    with statements.unsynced():  # lost with the power, it is asked for again: 409
        is_running = job.move(
            Job.Status.RUNNING, sent=job.sent, started_at=now(), error="", tries=0,
            due_at=_next_news(), leased_until=None,
        )  # fmt: skip
    if not is_running:  # the job webhook was faster: the job has ended already
        statements.update(Job, {"sent": job.sent}, pk=job.pk)


def _case_of(job: Job) -> Case:
    """With its connection and agent."""
    [case] = statements.rows(Case, pk=job.case_id)
    [case.connection] = statements.rows(Connection, pk=case.connection_id)
    case.agent = next(iter(statements.rows(Agent, pk=case.agent_id)), None)
    return case


def _without_tokens(job: Job, body: dict[str, Any]) -> dict[str, Any]:
    """What is asked, without what would open documents to a reader of it."""
    asked = {"check_id": job.check_id, **body} if job.check_id else body
    text = orjson.dumps(asked, option=orjson.OPT_NON_STR_KEYS)
    kept: dict[str, Any] = orjson.loads(_TOKEN.sub(rb"\1...", text))
    return kept


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
    rows = check_results(job, found)
    if end := ending(found, has_results=True):
        take(job, rows, end=end)
        return
    if rows:
        take(job, rows)
    # The longer it runs, the less often it is asked after.
    ran = now() - (job.started_at or job.created_at)
    job.settle(due_at=max(_next_news(), now() + min(ran / 4, QUIET)), tries=0, error="")


def collect(job: Job) -> None:
    """Fetch the results of a job that has ended, which fills what lost webhooks left out."""
    [job.connection] = statements.rows(Connection, pk=job.connection_id)
    try:
        found = Service.of(job.connection).get_job(job.remote_id)
    except ServiceError as exc:
        if exc.permanent:
            job.settle(error=job.error or f"The results could not be collected: {exc}")
        else:
            job.settle(due_at=_when(exc, job.tries + 1), tries=job.tries + 1)
        return
    with transaction.atomic():
        if rows := check_results(job, found):
            take(job, rows)
        job.settle(has_results=True, tries=0)


def give_up(job: Job, reason: str) -> None:
    """End a job that we cannot work on, with the reason: it must never hang."""
    if job.status in {Job.Status.QUEUED, Job.Status.RUNNING}:
        fail(job, error=reason, has_results=True)
    else:
        job.settle(error=reason)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the service says that a job ended. `has_results`: they came with the news."""

    status: str
    recommendation: str = ""
    error: str = ""
    has_results: bool = False


def complete(job: Job, *, recommendation: str, has_results: bool = False) -> None:
    """The service ran the job to its end."""
    take(job, end=Ending(Job.Status.COMPLETE, recommendation, has_results=has_results))


def fail(job: Job, *, error: str, has_results: bool = False) -> None:
    """The job could not be run to its end; `error` is shown to the analyst."""
    known = has_results or job.status == Job.Status.QUEUED  # nothing to collect of a refused job
    take(job, end=Ending(Job.Status.FAILED, error=error, has_results=known))


@transaction.atomic(savepoint=False)
def take(job: Job, rows: Sequence[CheckResult] = (), *, end: Ending | None = None) -> None:
    """Take in news of a job: results, each once, and how it ended, if it has.

    A later result of the same subject takes the place of the first. All that came is taken in
    together, and the case summed up once.
    """
    case, known = _locked_case(job)
    if rows:
        _keep(case, job, rows)
    ended = end is not None and _end(job, end)
    if rows and job.status == Job.Status.RUNNING:
        _expect_more(job)
    if known[0] == job:
        _show(case, known, has_news=bool(rows), end=end if ended else None)
        if job.status == Job.Status.COMPLETE:
            alarms.raise_again(case, job)
    if end and ended:
        _tell_end(case, job, end)


def _end(job: Job, end: Ending) -> bool:
    """Returns False where the job had ended before."""
    said = {"recommendation": end.recommendation[:64]} if end.recommendation else {}
    due = None if end.has_results else now()
    moved = job.move(
        end.status, error=end.error, ended_at=now(), has_results=end.has_results, tries=0,
        due_at=due, leased_until=None, **said,
    )  # fmt: skip
    if moved and due:
        bell.ring(LANE)
    return moved


def _show(case: Case, known: Sequence[Job], *, has_news: bool, end: Ending | None) -> None:
    """Bring the case up to date with its newest job, the first of those `known`."""
    is_complete = end is not None and end.status == Job.Status.COMPLETE
    changes: dict[str, Any] = {}
    if has_news or is_complete:
        standing = runs.Standing.after(known)
        changes["summary"] = results.summarise(case, standing.rows)
    if is_complete and end and not known[0].check_id:
        changes["recommendation"] = end.recommendation[:64]
    if is_complete:
        risk = results.risk_of(changes["summary"])
        changes |= {"risk": risk, "due_at": clocks.due(case, risk=risk)}
        # A job that another system started does not undo what people decided meanwhile.
        if case.status in IN_HANDS:
            has_news = True
        elif case.move(Case.Status.TO_REVIEW, **changes):
            return
    elif end and case.move(Case.Status.ATTENTION, **changes):
        return
    if has_news:
        statements.update(Case, {"updated_at": now(), **changes}, pk=case.pk)


def _tell_end(case: Case, job: Job, end: Ending) -> None:
    if end.status == Job.Status.COMPLETE:
        said = {"job": job.remote_id, "recommendation": end.recommendation}
        tell(case, "job_complete", said)
    else:
        tell(case, "job_failed", {"job": job.remote_id, "error": end.error})


def _locked_case(job: Job) -> tuple[Case, list[Job]]:
    """The case, for this transaction alone, and its jobs, newest first.

    All that write to a case and its jobs lock the case first. Two results side by side would each
    miss the other's in the summary, and whoever has the job and wants the case would wait for
    ever for who has the case and wants the job.
    """
    [case] = statements.rows(Case, lock=True, pk=job.case_id)
    job.case = case
    seen = ("case", "check_id", "status", "created_at")
    others = statements.rows(Job, only=seen, order="-created_at", case=case)
    return case, [job if other == job else other for other in others]


def ask_soon(job: Job) -> None:
    """Have the service asked about a running job now: it said something that we cannot place."""
    if Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(due_at=now()):
        bell.ring(LANE)


def tell(case: Case, what: str, data: Mapping[str, Any], *, user: Any = None) -> None:
    """Add a line to the case's audit trail."""
    audit.record(case, what, data, user=user, actor=CaseEvent.Actor.AGENT)


def to_wire(case: Case) -> dict[str, Any]:
    """The kyb_schema or kyc_schema of the case, documents as signed URLs."""
    data = dict(case.self_attested_data)
    for document in statements.rows(Document, order="created_at", case=case):
        data = documents.placed(document, data)
    return {**case.schema_extra, "id": case.reference, "self_attested_data": data}


def tool_result(job: Job, tool_id: str, body: Any) -> CheckResult:
    """What a tool said, as a row that is not saved yet."""
    passed = body.get("passed") if isinstance(body, dict) else None
    passed = passed if isinstance(passed, bool) else None
    return _result(job, CheckResult.Source.TOOL, tool_id, _subject(body), body, passed, "")


def check_results(job: Job, found: Mapping[str, Any]) -> list[CheckResult]:
    """The check results that a job carries, where it carries any, as rows not saved yet."""
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
    return list(said.values())


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


def _keep(case: Case, job: Job, rows: Sequence[CheckResult]) -> None:
    is_decided = case.status == Case.Status.DECIDED
    known = {_identity(row) for row in job.check_results.defer("body")} if is_decided else set()
    statements.insert(
        list({_identity(row): row for row in rows}.values()),  # no statement writes a row twice
        replacing=_NEWER,
    )
    for row in rows if is_decided else ():
        if _identity(row) not in known:
            tell(case, "late_result", {"check": row.check_id, "job": job.remote_id})


_NEWER = statements.Replacing(
    unique=("job", "source", "check_id", "subject"), fields=("body", "passed", "status")
)


def _expect_more(job: Job) -> None:
    """There was news, so the job need not be asked after for a while."""
    due = _next_news()
    # Not for each of a run of webhooks: what was said a moment ago is near enough.
    if job.due_at is None or due - job.due_at > timedelta(seconds=settings.JOB_NEWS_SECONDS / 4):
        statements.update(Job, {"due_at": due}, pk=job.pk, status=Job.Status.RUNNING)


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


def ending(found: Mapping[str, Any], *, has_results: bool) -> Ending | None:
    """How the job ended by what the service says of it; None where it has not."""
    status = job_status(found.get("status"))
    if status == Job.Status.COMPLETE:
        said = found.get("recommendation")
        recommendation = said if isinstance(said, str) else ""
        return Ending(Job.Status.COMPLETE, recommendation, has_results=has_results)
    if status == Job.Status.FAILED:
        return Ending(Job.Status.FAILED, error=_failure(found), has_results=has_results)
    return None


def _failure(found: Mapping[str, Any]) -> str:
    """Why a job failed, in the service's words where it has any."""
    said = found.get("error") or found.get("message")
    return _text(said) if said else "The service reported that the job failed."


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
