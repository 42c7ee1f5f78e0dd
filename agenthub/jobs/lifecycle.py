"""The life cycle of a job at the hub: created, run check by check, finished.

A run may be interrupted anywhere and resumed by another worker: stored results are not repeated.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction

from agenthub.agents import catalogue, configuration, requirements
from agenthub.deliveries import sending
from agenthub.documents import fetching
from agenthub.jobs import lookups, newer_lists
from agenthub.jobs import progress as stored_progress
from agenthub.jobs.examination import (
    AwayError,
    Examination,
    TurnEndedError,
    arguments_of,
    content_key,
    endings,
)
from agenthub.jobs.progress import End, Progress
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.jobs import COMPARING, STARTED, message
from agenthub.subjects import facts, names
from agenthub.wire import JsonObject, Wire
from checks import engine, registry
from checks.base import Check, Examined, alerts_of
from checks.builtin import ASKING
from compliance.security.data_keys import DataKeyError
from compliance.tracing import spans
from compliance.work import notify, tallies
from compliance.work.rows import backoff

log = logging.getLogger(__name__)

QUEUE = "agenthub.tasks.run_jobs"
# Jobs with documents have their own queue, so that they do not delay other jobs.
DOCUMENTS_QUEUE = "agenthub.tasks.run_document_jobs"
# Seconds until the malware scanner is asked again.
LONGEST_WAIT_FOR_SCANNER = 60.0


def create(
    *,
    agent: Agent,
    job_id: uuid.UUID,
    input_payload: JsonObject,
    check_ids: Sequence[str] = (),
    **columns: object,
) -> tuple[AgentJob, bool]:
    """Create a PENDING job. Returns (job, True), or (the existing job with this id, False).

    Of any number of simultaneous requests with one id, exactly one gets True: a constraint of the
    database decides. `columns` are further columns: batch, check_args, original, is_bulk.
    """
    # The sender of a batch does not wait for each of its jobs.
    columns.setdefault("is_bulk", columns.get("batch") is not None)
    schema = input_payload[f"{agent.kind}_schema"]
    job = AgentJob(
        account_id=agent.account_id,
        agent=agent,
        job_id=job_id,
        case_id=str(schema["id"]),
        input_payload=input_payload,
        check_ids=list(check_ids),
        webhook_url=input_payload.get("webhook_url") or "",
        tool_webhook_url=input_payload.get("tool_webhook_url") or "",
        slack_webhook_url=input_payload.get("slack_webhook_url") or "",
        status_messages=[message("Job created.")],
        subject=names.name_of(schema),
        subject_key=names.key_of(schema, kind=agent.kind),
        fact_key=facts.key_of(schema),
        traceparent=spans.current(),
        **columns,
    )
    set_documents(job)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
            notify.after_commit(queue_of(job))
    except IntegrityError:
        return AgentJob.objects.get(account_id=agent.account_id, job_id=job_id), False
    return job, True


def queue_of(job: AgentJob) -> str:
    """The name of the queue that handles the job."""
    if job.reads_documents:
        return DOCUMENTS_QUEUE
    return QUEUE


def set_documents(job: AgentJob) -> None:
    """Set how many documents the job's checks will read. This also selects its queue."""
    job.documents = count_documents(job)
    job.reads_documents = job.documents > 0


def count_documents(job: AgentJob) -> int:
    """How many different documents of the case the checks of the job examine."""
    attested = _attested(job)
    selection = set(job.check_ids)
    keys: set[str] = set()
    for check in catalogue.of_agent(job.agent):
        is_selected = not selection or selection & {check.id, *check.aliases}
        if is_selected:
            keys.update(map(content_key, check.documents_of(attested)))
    return len(keys)


def _attested(job: AgentJob) -> JsonObject:
    return job.schema.get("self_attested_data") or {}


def advance(job: AgentJob) -> None:
    """Run the job to its end, from wherever an earlier run left it."""
    try:
        job.require_its_request()
    except DataKeyError:
        log.exception("job %s: its agent or checks were changed", job.job_id)
        give_up(job, "The job is not that of its request.")
        return
    # Reload the agent: it may have changed while the job waited.
    job.agent = Agent.objects.get(pk=job.agent_id)
    if not job.reads_documents and (documents := count_documents(job)):
        # The agent has got checks that read documents: move the job to the other queue.
        job.complete(due_at=job.due_at, reads_documents=True, documents=documents)
        notify.after_commit(DOCUMENTS_QUEUE)
        return
    checks = _checks(job)
    progress = Progress(job, [check.id for check in checks])
    examination = Examination(job, checks, progress)
    try:
        _run_open_checks(job, checks, progress, examination)
    except fetching.NotScannedError:
        # The scanner is unavailable. That says nothing about the document, so it costs no attempt.
        job.complete(
            due_at=backoff(job.claim_count, longest=LONGEST_WAIT_FOR_SCANNER),
            failures=job.failures,
        )
        return
    except AwayError as exc:
        # A document is temporarily unavailable. All other results are stored.
        job.complete(due_at=exc.due_at)
        return
    except TurnEndedError:
        # The job has more documents. Release it, so that other accounts get their turn.
        job.complete(due_at=job.due_at)
        notify.after_commit(DOCUMENTS_QUEUE)
        return
    _finish(job, progress)


def _run_open_checks(
    job: AgentJob,
    checks: Sequence[Check],
    progress: Progress,
    examination: Examination,
) -> None:
    """Run the checks that have not ended.

    Raises AwayError if a document of some is temporarily unavailable: the other checks do not wait
    for it."""
    away: list[datetime] = []
    for check in checks:
        if not progress.is_open(check.id):
            continue
        try:
            _run_check(job, check, progress, examination)
        except AwayError as exc:
            away.append(exc.due_at)
    if away:
        progress.write()
        raise AwayError(min(away))


def _checks(job: AgentJob) -> list[Check]:
    """The checks of the request; without any, those of the agent, or else the default checks."""
    kind = cast("registry.CaseKind", job.agent.kind)
    check_ids = job.check_ids or [entry["check_id"] for entry in job.agent.checks]
    if check_ids:
        checks = registry.select(check_ids, kind=kind)
    else:
        checks = catalogue.by_default(kind)
    return configuration.in_order(checks, job.agent)


def give_up(job: AgentJob, reason: str) -> None:
    """End a job that cannot be run, with the reason: it must never hang."""
    with transaction.atomic():
        if job.move(
            AgentJob.Status.FAILED, error=reason, due_at=None, leased_until=None
        ):
            # Clients wait until each check has ended.
            stored_progress.end_open(job)
            sending.queue(sending.of_end(job))
            newer_lists.compare(job)


def recommend(verdicts: Sequence[str], missing: Sequence[str]) -> str:
    """The recommendation, by a declared rule.

    Deny if a check failed. Approve if all applicable checks passed, there is at least one, and the
    case lacks nothing that its agent requires (`missing`). Otherwise Review, for example if a check
    was inconclusive."""
    if "fail" in verdicts:
        return "Deny"
    applicable = set(verdicts) - {"not_applicable"}
    if applicable == {"pass"} and not missing:
        return "Approve"
    return "Review"


def _run_check(
    job: AgentJob, check: Check, progress: Progress, examination: Examination
) -> None:
    start = time.monotonic()
    attributes = {"check": check.id, "job": str(job.job_id)}
    with spans.span("check", attributes=attributes) as span:
        if check.documents:
            result = _run_document_check(job, check, progress, examination)
        else:
            result = _run_data_check(job, check, progress)
        verdict = str(result.get("verdict") or "none")
        span.set({"verdict": verdict})
    seconds = time.monotonic() - start
    tallies.add(tallies.Kind.CHECK, check.id, verdict, seconds=seconds)


def _run_document_check(
    job: AgentJob, check: Check, progress: Progress, examination: Examination
) -> Wire:
    attested = _attested(job)
    # The check has nothing to read: conclude without an entry in `examination`.
    if not check.documents_of(attested):
        status, result = _conclude(check, [], attested)
        progress.add(check.id, End(status, result, steps=[message(STARTED)]))
        return result
    run = progress.run_of(check.id)
    run.begin(check.doing)
    examinations = examination.of(check)
    comparing = [message(COMPARING)]
    status, result = _conclude(check, examinations, attested)
    progress.end(run, End(status, result, steps=comparing))
    return result


def _run_data_check(job: AgentJob, check: Check, progress: Progress) -> Wire:
    attested = _attested(job)
    steps = [message(STARTED), message(check.doing)]
    if isinstance(check, ASKING):
        # The check asks another party, which takes less time than the lease. Write earlier results
        # first.
        progress.write()
        job.heartbeat(settings.LEASE)
    pairs = engine.examine(
        check.id,
        file=b"",
        file_name="",
        attested=attested,
        document={},
        arguments=arguments_of(job, check),
        lookups=lookups.of(job),
    )
    outcomes = dict(pairs)
    status, result = _conclude(
        check,
        [Examined(document={}, outcomes=outcomes)],
        attested,
    )
    progress.add(check.id, End(status, result, outcomes, steps))
    return result


def _conclude(
    check: Check, examinations: Sequence[Examined], attested: JsonObject
) -> tuple[CheckRun.Status, Wire]:
    """The status with which the check ends, and its result."""
    # The tools that report a document which stopped its reader, and so have a result even then.
    reporting_tools = endings(check, {}, "").keys()
    broken = []
    for examination in examinations:
        if examination.error and examination.outcomes.keys() <= reporting_tools:
            broken.append(examination)
    result = engine.conclude(check.id, examinations, attested)
    # A check that saw none of its documents has failed to run. If it saw some, it concludes.
    if examinations and len(broken) == len(examinations):
        return CheckRun.Status.FAILED, result
    return CheckRun.Status.COMPLETED, result


def _finish(job: AgentJob, progress: Progress) -> None:
    """End the job. All checks that the agent has now have ended."""
    progress.end_removed()
    results = progress.results()
    statuses: list[str] = []
    verdicts: dict[str, str] = {}
    for check_id, (status, result) in results.items():
        verdicts[check_id] = str(result.get("verdict", "inconclusive"))
        # A check that did not apply had nothing to do, so it does not count as finished.
        if verdicts[check_id] != "not_applicable":
            statuses.append(status)
    if statuses and all(status == CheckRun.Status.FAILED for status in statuses):
        progress.finish(AgentJob.Status.FAILED, error=_error(results))
        return
    missing = requirements.missing(job.agent, _attested(job), verdicts)
    recommendation = recommend([*verdicts.values()], missing)
    # A check that could not run must be looked at by a person.
    if CheckRun.Status.FAILED in [status for status, _ in results.values()]:
        recommendation = "Review"
    complete = message(f"Job complete: {len(results)} checks.")
    progress.finish(
        AgentJob.Status.COMPLETE,
        recommendation=recommendation,
        recommendation_reasons=missing,
        requirements_version=requirements.version_of(job.agent),
        status_messages=[*job.status_messages, complete],
    )


def _error(results: Mapping[str, tuple[str, Wire]]) -> str:
    """Why no check could be run: the distinct alerts of the checks."""
    alerts: list[str] = []
    for _, result in results.values():
        alerts += alerts_of(result)
    return " ".join(dict.fromkeys(alerts)) or "No check could be run."
