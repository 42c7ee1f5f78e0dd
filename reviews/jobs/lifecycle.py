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

from compliance.db import fast_sql
from compliance.http import references
from compliance.work import notify
from compliance.work.rows import backoff
from reviews import results
from reviews.audit import trail
from reviews.documents import store
from reviews.findings import check_runs, confirmation, recommendations
from reviews.jobs import reopening
from reviews.models import Agent, Case, CaseEvent, CheckResult, Connection, Document, Job
from reviews.people import sla
from reviews.service import pauses
from reviews.service.client import (
    KeyRefusedError,
    Service,
    ServiceError,
    job_id,
    job_status,
    words_of,
)

QUEUE = pauses.JOBS_QUEUE

_TOKEN = re.compile(rb'(/documents/[0-9a-f-]{36}/file/)[^/"]+')
# A service that does not know a job it has accepted may be behind; after this many times it is not.
UNKNOWN_TRIES = 4
# A job of which a webhook says that it ended, while its service cannot be asked: some half an hour.
NOTICE_TRIES = 12
# A running job that says nothing is asked after more and more rarely, down to once in this time.
QUIET = timedelta(minutes=5)
# Of a job that runs for longer than this, a person is told.
SILENT = timedelta(days=1)
_UNFIT = (
    "This case has a reference from before references were limited. A service would sign it, and its "
    "signature could pass for that of a webhook, so it is sent to none. Submit the case again, with "
    f"another reference. {references.REFUSAL}"
)
UNDER_WAY = (Job.Status.QUEUED, Job.Status.RUNNING)
# Where people, not jobs, say what comes next.
IN_HANDS = (Case.Status.WAITING, Case.Status.ESCALATED, Case.Status.SECOND, Case.Status.DECIDED)


def queue(case: Case, *, submission: Any = None, check_id: str = "") -> Job:
    """Make a job for the case, of all checks or of one, sent as soon as this transaction commits."""
    identity = {"id": submission} if submission else {}
    job = Job(
        case=case, connection=case.connection, agent=case.agent, check_id=check_id, **identity
    )
    job.remote_id = str(job.pk)
    fast_sql.insert([job])
    notify.after_commit(QUEUE)
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
        agent = _agent_for(case)
        schema = to_wire(case)
        options: dict[str, Any] = {"webhook_url": hook, "tool_webhook_url": hook}
        options["job_id"] = job.remote_id
        job.sent = _without_tokens(job, {f"{case.kind}_schema": schema, **options})
        service, agent_key = Service.of(case.connection), agent.agent_key
        if job.check_id:
            options |= {f"{case.kind}_schema": schema}
            service.run_check(job.check_id, agent_key=agent_key, **options)
        else:
            service.start_job(case.kind, agent_key=agent_key, schema=schema, **options)
    except KeyRefusedError as exc:
        fast_sql.update(Job, {"sent": job.sent}, pk=job.pk)
        _wait_for_key(job, case.connection, exc)
        return
    except ServiceError as exc:
        fast_sql.update(Job, {"sent": job.sent}, pk=job.pk)
        if exc.permanent:
            fail(job, error=str(exc))
        else:
            _try_again(job, exc)
        return
    with fast_sql.relaxed_durability():  # lost with the power, it is asked for again: 409
        is_running = job.move(
            Job.Status.RUNNING, sent=job.sent, started_at=now(), error="", tries=0,
            due_at=_next_news(), leased_until=None,
        )  # fmt: skip
    if not is_running:
        fast_sql.update(Job, {"sent": job.sent}, pk=job.pk)
    elif _notice(job):  # the job webhook was faster than the answer
        ask_soon(job)


def _agent_for(case: Case) -> Agent:
    """The agent that the case is sent to. Raises ServiceError where it cannot be sent."""
    if case.agent is None:
        raise ServiceError("No agent is set for this case.", permanent=True)
    if not case.connection.is_active:
        raise ServiceError("The connection is switched off.", permanent=True)
    if not references.fits(case.reference):
        raise ServiceError(_UNFIT, permanent=True)
    return case.agent


def _case_of(job: Job) -> Case:
    """With its connection and agent."""
    [case] = fast_sql.fetch_models(Case, pk=job.case_id)
    [case.connection] = fast_sql.fetch_models(Connection, pk=case.connection_id)
    case.agent = next(iter(fast_sql.fetch_models(Agent, pk=case.agent_id)), None)
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
        found = _asked(job)
    except KeyRefusedError as exc:
        _wait_for_key(job, job.connection, exc)
        return
    except ServiceError as exc:
        tries = job.tries + 1
        said = _notice(job)
        is_refused = exc.permanent and (exc.status != 404 or tries >= UNKNOWN_TRIES)
        if is_refused or (said and tries >= NOTICE_TRIES):
            fail(job, error=_unconfirmed(said, exc))
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
    error = _unclear(found)
    if ran > SILENT:
        _raise_alarm_of_silence(job)
    job.complete(due_at=max(_next_news(), now() + min(ran / 4, QUIET)), tries=0, error=error)
    if said := _notice(job):
        # A webhook says that it has ended. The service may be behind what it sends.
        asked = int(said.get("asked") or 0) + 1
        changes = {"notice": {**said, "asked": asked}, "due_at": backoff(asked)}
        fast_sql.update(Job, changes, pk=job.pk, status=Job.Status.RUNNING)


def _unclear(found: Mapping[str, Any]) -> str:
    """Why nobody knows how the job stands, by a status that the interface does not know, or ""."""
    if job_status(found.get("status")) is not None:
        return ""
    said = results.text(found.get("status"), 80)
    status = f"“{said}”" if said else "no status"
    return f"The service says of this job: {status}. Whether it has ended cannot be told from that."


@transaction.atomic
def _raise_alarm_of_silence(job: Job) -> None:
    case, known, _ = _locked_case(job)
    since = job.started_at or job.created_at
    said = f"The job is under way since {since:%Y-%m-%d %H:%M} UTC. The service does not say that it ended."
    if known[0] == job:
        reopening.raise_alarm(case, job, [said])


def _asked(job: Job) -> dict[str, Any]:
    """What the service's own record says of the job, in whatever frame. Raises ServiceError."""
    service = Service.of(job.connection)
    found = service.get_job(job.remote_id)
    inner = found.get("job")
    if isinstance(inner, dict) and job_status(found.get("status")) is None:
        found = inner
    named = found.get("id")
    if named and job_id(named) != job_id(job.remote_id):
        raise ServiceError("getJobById: the answer is about another job.", permanent=False)
    if not isinstance(found.get("check_results"), list) and ending(found, has_results=True):
        # Some services give the results of a job at an address of their own only.
        try:
            found = {**found, "check_results": service.get_check_results(job.remote_id)}
        except KeyRefusedError:
            raise
        except ServiceError:
            return found
    return found


def _unconfirmed(said: Mapping[str, Any], exc: ServiceError) -> str:
    """Why a job failed that could not be asked after, with what webhooks said of it."""
    told = f"A webhook said: {confirmation.words(said)}. No answer confirms it: " if said else ""
    return f"{told}{exc}"


def _notice(job: Job) -> dict[str, Any]:
    """How webhooks say that the job ended, as it is kept now; {} where none does."""
    [fresh] = fast_sql.fetch_models(Job, only=("notice",), pk=job.pk)
    return fresh.notice if isinstance(fresh.notice, dict) else {}


def collect(job: Job) -> None:
    """Ask after a job that has ended: for the results that nobody has fetched, and whether the
    service confirms what webhooks brought since."""
    [job.connection] = fast_sql.fetch_models(Connection, pk=job.connection_id)
    tries = job.tries + 1
    try:
        found = _asked(job)
    except KeyRefusedError as exc:
        pauses.pause(job.connection, exc)
        job.complete(due_at=now())
        return
    except ServiceError as exc:
        if not exc.permanent or (exc.status == 404 and tries < UNKNOWN_TRIES):
            job.complete(due_at=_when(exc, tries), tries=tries)
        else:
            _collect_nothing(job, exc)
        return
    with transaction.atomic():
        waits = _confirm(job, found, is_last=tries >= confirmation.TRIES)
        _add_reasons(job, found)
        if waits:
            job.complete(has_results=True, due_at=backoff(tries), tries=tries)
        else:
            job.complete(has_results=True, tries=0)


@transaction.atomic
def _collect_nothing(job: Job, exc: ServiceError) -> None:
    """The service cannot be asked: what webhooks brought stays, and nothing confirms it."""
    case, known, _ = _locked_case(job)
    reasons = confirmation.give_up(job, is_unknown=exc.status == 404)
    said = _notice(job)
    if said and not said.get("is_closed"):
        fast_sql.update(Job, {"notice": {**said, "is_closed": True}}, pk=job.pk)
        told = confirmation.words(said)
        reasons.append(f"A webhook said: {told}. No answer confirms it: {exc}")
    if known[0] == job:
        _show(case, known, has_news=True, end=None)
    reopening.raise_alarm(case, job, reasons)
    job.complete(error=job.error or f"The results could not be collected: {exc}")


def _confirm(job: Job, found: Mapping[str, Any], *, is_last: bool) -> bool:
    """Take in what the service says of a job that has ended, and hold what webhooks brought
    against it. Returns whether it is to be asked again, as it may be behind."""
    rows = check_results(job, found)
    take(job, rows, is_collected=not job.has_results)
    case, known, _ = _locked_case(job)
    reasons, waits, is_news = confirmation.judge(job, rows, is_last=is_last)
    changed = _changed_end(case, job, known, found)
    at_odds, is_open = _settle_notice(case, job, known, is_last=is_last)
    if known[0] == job and is_news:
        _show(case, known, has_news=True, end=None)
    if reasons or changed or at_odds:
        reopening.raise_alarm(case, job, [*reasons, *changed, *at_odds])
    return waits or is_open


def _changed_end(case: Case, job: Job, known: Sequence[Job], found: Mapping[str, Any]) -> list[str]:
    """Why a person must look at it, where the service tells another end than it told before.

    A worse recommendation takes the place of the one before; a better one does not.
    """
    end = ending(found, has_results=True)
    if end is None or _text(found.get("status")).strip().lower() == "retried":
        return []
    [fresh] = fast_sql.fetch_models(Job, only=("status", "recommendation"), pk=job.pk)
    if end.status != fresh.status:
        return [f"The service says now that the job is {end.status}. It ended as {fresh.status}."]
    before, after = fresh.recommendation, end.recommendation[:64]
    if end.status == Job.Status.FAILED or not after or before.casefold() == after.casefold():
        return []
    if before and confirmation.gravity(after) <= confirmation.gravity(before):
        return [
            f"The service recommends “{recommendations.word(after)}” now. “{recommendations.word(before)}” stands until a person decides."
        ]
    _recommend(case, job, known, end.recommended)
    return (
        [
            f"The service recommends “{recommendations.word(after)}” now. Before: “{recommendations.word(before)}”."
        ]
        if before
        else []
    )


def _recommend(case: Case, job: Job, known: Sequence[Job], changes: Mapping[str, Any]) -> None:
    """Write a recommendation to an ended job, and to its case where no run of all checks followed."""
    fast_sql.update(Job, changes, pk=job.pk)
    if next((other for other in known if not other.check_id), None) == job:
        fast_sql.update(Case, {"updated_at": now(), **changes}, pk=case.pk)
        case.recommendation = changes["recommendation"]


def _settle_notice(
    case: Case, job: Job, known: Sequence[Job], *, is_last: bool
) -> tuple[list[str], bool]:
    """Hold how webhooks say that the job ended against how it did. Returns why a person must look
    at it, and whether it is to be asked for again."""
    [fresh] = fast_sql.fetch_models(Job, only=("notice", "status", "recommendation"), pk=job.pk)
    said = fresh.notice if isinstance(fresh.notice, dict) else {}
    if not said or said.get("is_closed"):
        return [], False
    if confirmation.agrees(said, fresh.status, fresh.recommendation):
        fast_sql.update(Job, {"notice": {}}, pk=job.pk)
        return [], False
    if not is_last:
        return [], True
    fast_sql.update(Job, {"notice": {**said, "is_closed": True}, "updated_at": now()}, pk=job.pk)
    if said.get("status") == fresh.status and not fresh.recommendation:
        # Not at odds: the service's own record gives none. What speaks against the case counts.
        if confirmation.is_adverse(said):
            _recommend(case, job, known, {"recommendation": said["recommendation"]})
        return [], False
    told = confirmation.words(said)
    own = confirmation.words({"status": fresh.status, "recommendation": fresh.recommendation})
    return [f"A webhook said: {told}. The service says: {own}, which counts."], False


def _add_reasons(job: Job, found: Mapping[str, Any]) -> None:
    """Keep reasons that the job webhook did not carry: a service may tell them here alone."""
    end = ending(found, has_results=True)
    if end is None or job.status != Job.Status.COMPLETE or not (end.reasons or end.requirements):
        return
    reasons = list(dict.fromkeys([*job.recommendation_reasons, *end.reasons]))
    version = end.requirements or job.requirements_version
    if (reasons, version) == (job.recommendation_reasons, job.requirements_version):
        return
    changes = {"recommendation_reasons": reasons, "requirements_version": version}
    case, known, _ = _locked_case(job)
    fast_sql.update(Job, changes, pk=job.pk)
    newest = next((other for other in known if not other.check_id), None)
    if newest == job:
        fast_sql.update(Case, {"updated_at": now(), **changes}, pk=case.pk)


def give_up(job: Job, reason: str) -> None:
    """End a job that we cannot work on, with the reason: it must never hang."""
    if job.status in {Job.Status.QUEUED, Job.Status.RUNNING}:
        fail(job, error=reason, has_results=True)
    else:
        job.complete(error=reason)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the service says that a job ended. `has_results`: they came with the news."""

    status: str
    recommendation: str = ""
    error: str = ""
    has_results: bool = False
    is_answer: bool = False  # of the service that was asked
    reasons: Sequence[str] = ()  # of the recommendation
    requirements: str = ""  # their version

    @property
    def recommended(self) -> dict[str, Any]:
        """The fields of a case and of a job that keep what was recommended."""
        return {
            "recommendation": self.recommendation[:64],
            "recommendation_reasons": list(self.reasons),
            "requirements_version": self.requirements,
        }


NOTHING_RECOMMENDED = Ending(Job.Status.COMPLETE).recommended


def complete(job: Job, *, recommendation: str, has_results: bool = False) -> None:
    """The service ran the job to its end."""
    take(job, end=Ending(Job.Status.COMPLETE, recommendation, has_results=has_results))


def fail(job: Job, *, error: str, has_results: bool = False) -> None:
    """The job could not be run to its end; `error` is shown to the analyst."""
    known = has_results or job.status == Job.Status.QUEUED  # nothing to collect of a refused job
    take(job, end=Ending(Job.Status.FAILED, error=error, has_results=known))


@transaction.atomic(savepoint=False)
def take(
    job: Job,
    rows: Sequence[CheckResult] = (),
    *,
    end: Ending | None = None,
    is_collected: bool = False,
) -> None:
    """Take in news of a job: results, each once, and how it ended, if it has.

    Each result is kept beside what others say of the same: `results` tells which one stands. All
    that came is taken in together, and the case summed up once. `is_collected`: the job ended a
    moment ago, and these are its results, so they are not late.
    """
    case, known, status = _locked_case(job)
    is_over = status not in UNDER_WAY and not is_collected
    for row in rows:
        row.rank = results.rank(row, case.self_attested_data)
        row.confirmation = CheckResult.Confirmation.CONFIRMED
    late = _late(case, job, _keep(case, job, rows, is_over=is_over))
    ended = end is not None and _end(job, end)
    if rows and job.status == Job.Status.RUNNING:
        _expect_more(job)
    reasons = list(_judge_at_end(case, job, known, rows, end)) if end and ended else []
    if known[0] == job:
        _show(case, known, has_news=bool(rows), end=end if ended else None)
    if known[0] == job and job.status == Job.Status.COMPLETE and (ended or is_collected):
        reopening.raise_again(case, job)
        reasons += reopening.of_silence(case, job)
    if reasons := [*reasons, *reopening.of_late(late)]:
        reopening.raise_alarm(case, job, reasons)
    if end and ended:
        _tell_end(case, job, end)


def _judge_at_end(
    case: Case, job: Job, known: Sequence[Job], rows: Sequence[CheckResult], end: Ending
) -> list[str]:
    """Hold what webhooks brought while the job ran against what the service says of its end."""
    if not end.has_results:
        return []  # it is asked for them
    if not end.is_answer:
        confirmation.give_up(job)
        return []
    reasons, waits, _ = confirmation.judge(job, rows, is_last=False)
    at_odds, is_open = _settle_notice(case, job, known, is_last=False)
    if waits or is_open:
        fast_sql.update(Job, {"due_at": backoff(1)}, pk=job.pk)
    return [*reasons, *at_odds]


@transaction.atomic(savepoint=False)
def hint(job: Job, rows: Sequence[CheckResult] = (), *, ends: Sequence[Ending] = ()) -> None:
    """Take in what webhooks say of a job: it is shown at once, and the service is asked.

    How the job ended counts when getJobById says so. A result that comes after that is asked
    for, unless the service's record is known to hold it.
    """
    case, known, status = _locked_case(job)
    is_over = status not in UNDER_WAY
    for row in rows:
        row.rank = results.rank(row, case.self_attested_data)
    confirmation.mark(job, rows, is_over=is_over)
    fresh = _keep(case, job, rows, is_over=is_over)
    asks = any(row.confirmation == CheckResult.Confirmation.WAITING for row in fresh)
    for end in ends:
        asks = _keep_notice(job, end) or asks
    # Not by the status read above: the job may have been started since. The notice holds its row,
    # so that a start comes before it, and is seen here, or after it, and reads the notice.
    started = Job.objects.filter(pk=job.pk).exclude(status=Job.Status.QUEUED)
    if asks and started.update(due_at=now(), updated_at=now()):
        notify.after_commit(QUEUE)
    elif rows and status == Job.Status.RUNNING:
        _expect_more(job)
    if known[0] == job and rows:
        _show(case, known, has_news=True, end=None)
    if reasons := reopening.of_late(_late(case, job, fresh)):
        reopening.raise_alarm(case, job, reasons)


def _keep_notice(job: Job, end: Ending) -> bool:
    """Keep how a webhook says that the job ended. Returns whether the service is to be asked."""
    [fresh] = fast_sql.fetch_models(Job, only=("notice", "status", "recommendation"), pk=job.pk)
    said = confirmation.notice(end.status, end.recommendation)
    if fresh.status not in UNDER_WAY and confirmation.agrees(
        said, fresh.status, fresh.recommendation
    ):
        return False
    before = fresh.notice if isinstance(fresh.notice, dict) else {}
    if before.get("is_closed") and confirmation.words(before) == confirmation.words(said):
        return False  # asked and answered
    before = {} if before.get("is_closed") else before
    fast_sql.update(Job, {"notice": confirmation.worse(before, said)}, pk=job.pk)
    return True


def _end(job: Job, end: Ending) -> bool:
    """Returns False where the job had ended before."""
    said = end.recommended if end.status == Job.Status.COMPLETE else {}
    due = None if end.has_results else now()
    moved = job.move(
        end.status, error=end.error, ended_at=now(), has_results=end.has_results, tries=0,
        due_at=due, leased_until=None, **said,
    )  # fmt: skip
    if moved and due:
        notify.after_commit(QUEUE)
    return moved


def _show(case: Case, known: Sequence[Job], *, has_news: bool, end: Ending | None) -> None:
    """Bring the case up to date with its newest job, the first of those `known`."""
    is_complete = end is not None and end.status == Job.Status.COMPLETE
    changes = _summed_up(case, known) if has_news or end else {}
    if is_complete and end and not known[0].check_id:
        changes |= end.recommended
    if is_complete:
        # A job that another system started does not undo what people decided meanwhile.
        if case.status in IN_HANDS:
            has_news = True
        elif case.move(Case.Status.TO_REVIEW, **changes):
            return
    elif end and case.move(Case.Status.ATTENTION, **changes):
        return
    if has_news:
        fast_sql.update(Case, {"updated_at": now(), **changes}, pk=case.pk)
        for name, value in changes.items():
            setattr(case, name, value)


def _summed_up(case: Case, known: Sequence[Job]) -> dict[str, Any]:
    """What the queue shows of the results that stand; once the job has ended, how they count."""
    summary = results.summarise(case, check_runs.EffectiveResults.after(known).rows)
    changes = {"summary": summary, "severity": results.severity_of(summary)}
    if known[0].is_under_way:
        return changes
    risk = results.risk_of(summary)
    due = sla.due(case, risk=risk, since=case.alarm_at)
    return {
        **changes,
        "risk": risk,
        "due_at": min(due, case.due_at) if case.alarm else due,
    }


def _tell_end(case: Case, job: Job, end: Ending) -> None:
    if end.status == Job.Status.COMPLETE:
        said = {"job": job.remote_id, "recommendation": end.recommendation}
        tell(case, "job_complete", said)
    else:
        tell(case, "job_failed", {"job": job.remote_id, "error": end.error})


def _locked_case(job: Job) -> tuple[Case, list[Job], str]:
    """The case, for this transaction alone, its jobs, newest first, and where this one now stands.

    All that write to a case and its jobs lock the case first. Two results side by side would each
    miss the other's in the summary, and whoever has the job and wants the case would wait for
    ever for who has the case and wants the job.
    """
    [case] = fast_sql.fetch_models(Case, lock=True, pk=job.case_id)
    job.case = case
    seen = ("case", "check_id", "status", "created_at")
    others = fast_sql.fetch_models(Job, only=seen, order="-created_at", case=case)
    status = next(other.status for other in others if other == job)
    return case, [job if other == job else other for other in others], status


def ask_soon(job: Job) -> None:
    """Have the service asked about a running job now: it said something that we cannot place."""
    if Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(due_at=now()):
        notify.after_commit(QUEUE)


def tell(case: Case, what: str, data: Mapping[str, Any], *, user: Any = None) -> None:
    """Add a line to the case's audit trail."""
    trail.record(case, what, data, user=user, actor=CaseEvent.Actor.AGENT)


def to_wire(case: Case) -> dict[str, Any]:
    """The kyb_schema or kyc_schema of the case, documents as signed URLs."""
    data = dict(case.self_attested_data)
    for document in fast_sql.fetch_models(Document, order="created_at", case=case):
        data = store.placed(document, data)
    return {**case.schema_extra, "id": case.reference, "self_attested_data": data}


def tool_result(job: Job, tool_id: str, body: Any) -> CheckResult:
    """What a tool said, as a row that is not saved yet."""
    passed = body.get("passed") if isinstance(body, dict) else None
    passed = passed if isinstance(passed, bool) else None
    return _result(job, CheckResult.Source.TOOL, tool_id, _subject(body), body, passed, "")


def check_results(job: Job, found: Mapping[str, Any]) -> list[CheckResult]:
    """The check results that a job carries, where it carries any, as rows not saved yet."""
    items = found.get("check_results")
    rows: list[CheckResult] = []
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        inner = item.get("result")
        passed = inner.get("passed") if isinstance(inner, dict) else None
        check_id = _text(item.get("check_id") or item.get("command_id") or item.get("type"))
        passed = passed if isinstance(passed, bool) else None
        status = _text(item.get("status"))
        subject = _content_of_check(item)
        rows.append(_result(job, CheckResult.Source.CHECK, check_id, subject, item, passed, status))
    return rows


def _result(
    job: Job,
    source: str,
    check_id: str,
    subject: str,
    body: Any,
    passed: bool | None,  # noqa: FBT001
    status: str,
) -> CheckResult:
    row = CheckResult(
        job=job,
        source=source,
        check_id=check_id[:200],
        subject=subject,
        body=body,
        passed=passed,
        status=status[:40],
    )
    row.passed = results.passed(row)
    return row


def _late(case: Case, job: Job, fresh: Sequence[CheckResult]) -> Sequence[CheckResult]:
    """Those of the new results that came after people spoke, noted in the trail."""
    late = fresh if case.status in reopening.SPOKEN else ()
    for row in late:
        tell(case, "late_result", {"check": row.check_id, "job": job.remote_id})
    return late


def _keep(case: Case, job: Job, rows: Sequence[CheckResult], *, is_over: bool) -> list[CheckResult]:
    """Write the results. Returns those that are new although the job is over."""
    known = (
        {_identity(row) for row in job.check_results.defer("body")} if is_over and rows else set()
    )
    by_identity = {_identity(row): row for row in rows}  # no statement writes a row twice
    is_hint = any(row.confirmation != CheckResult.Confirmation.CONFIRMED for row in rows)
    fast_sql.insert(list(by_identity.values()), replacing=_SHOWN if is_hint else _NEWER)
    return [row for row in rows if is_over and _identity(row) not in known]


# A webhook says nothing of whether the service confirms what is there already.
_SHOWN = fast_sql.Replacing(
    unique=("job", "source", "check_id", "subject"), fields=("body", "passed", "status", "rank")
)
_NEWER = fast_sql.Replacing(
    unique=("job", "source", "check_id", "subject"),
    fields=("body", "passed", "status", "rank", "confirmation"),
)


def _expect_more(job: Job) -> None:
    """There was news, so the job need not be asked after for a while: but where it is to be asked
    after now, it is."""
    due = _next_news()
    # Not for each of a run of webhooks: what was said a moment ago is near enough.
    if job.due_at is None or due - job.due_at > timedelta(seconds=settings.JOB_NEWS_SECONDS / 4):
        waiting = Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING, due_at__gt=now())
        waiting.update(due_at=due)


def _identity(row: CheckResult) -> tuple[str, str, str]:
    return row.source, row.check_id, row.subject


def _subject(body: Any) -> str:
    """What tells two results of one tool apart: the document and the content itself."""
    payload = body.get("payload") if isinstance(body, dict) else None
    document = payload.get("document") if isinstance(payload, dict) else None
    if isinstance(document, dict) and (name := document.get("url") or document.get("file_name")):
        return f"{_text(name)[:190]}#{_digest(body)}"
    return f"sha256:{_digest(body)}"


def _content_of_check(item: Mapping[str, Any]) -> str:
    """What tells two results of one check apart; "" while it runs, so that the next takes its place.

    Times and messages are no part of it: they change while the result is the same.
    """
    if results.is_under_way(item):
        return ""
    said = {name: item.get(name) for name in ("result", "payload", "error", "passed", "verdict")}
    return f"sha256:{_digest({**said, 'status': _text(item.get('status'))[:40].casefold()})}"


def _digest(body: Any) -> str:
    text = orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(text).hexdigest()


def _wait_for_key(job: Job, connection: Connection, exc: KeyRefusedError) -> None:
    """Stay due as before, without a try used up: while the pause stands, nobody takes the job up."""
    pauses.pause(connection, exc)
    job.complete(due_at=now(), error=pauses.WAITS)


def _try_again(job: Job, exc: ServiceError) -> None:
    tries = job.tries + 1
    job.complete(due_at=_when(exc, tries), tries=tries, error=str(exc))


def _when(exc: ServiceError, tries: int) -> Any:
    if exc.retry_after is not None:
        return now() + timedelta(seconds=exc.retry_after)
    return backoff(tries)


def _next_news() -> Any:
    return now() + timedelta(seconds=settings.JOB_NEWS_SECONDS)


def ending(found: Mapping[str, Any], *, has_results: bool) -> Ending | None:
    """How the job ended by what the service says of it; None where it has not."""
    status = job_status(found.get("status"))
    if status == Job.Status.COMPLETE:
        return Ending(
            Job.Status.COMPLETE,
            results.text(found.get("recommendation"), 64),
            has_results=has_results,
            is_answer=has_results,
            reasons=recommendations.reasons(found),
            requirements=recommendations.version(found),
        )
    if status == Job.Status.FAILED:
        return Ending(
            Job.Status.FAILED, error=_failure(found), has_results=has_results, is_answer=has_results
        )
    return None


def _failure(found: Mapping[str, Any]) -> str:
    """Why a job failed, in the service's words where it has any."""
    said = found.get("error") or found.get("message")
    number = str(said) if isinstance(said, int) and not isinstance(said, bool) else ""
    return words_of(said) or number or "The service reported that the job failed."


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
