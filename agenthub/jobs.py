"""The life of a job at the hub: created, run check by check, finished.

A run may be cut off anywhere and taken up by another worker: what stands is skipped.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from django.conf import settings
from django.db import IntegrityError, transaction

from agenthub import agents, catalogue, deliveries, documents, reuse, subjects
from agenthub.models import Agent, AgentJob, CheckRun, ToolRun
from agenthub.models.jobs import message
from agenthub.progress import Progress
from agenthub.screening import reference
from checks import engine, registry
from checks.base import Check, Examined
from checks.builtin import ASKING
from checks.document_fraud_check.facts import SIGNATURE_ROOTS
from compliance import bell, isolation, statements, work

LANE = "agenthub.jobs"

# A document that cannot be fetched now is asked for again, until the job was taken up this often.
FETCH_TRIES = 6
# To read a document is to compute: no more at a time than there are processors, but two, so that one
# that takes long does not hold up all. Jobs that wait for a website, or who holds a document, are beside.
READERS = max(2, os.cpu_count() or 1)
_readers = threading.BoundedSemaphore(READERS)


def create(
    *,
    agent: Agent,
    job_id: uuid.UUID,
    input_payload: Mapping[str, Any],
    check_ids: Sequence[str] = (),
    webhook_url: str = "",
    tool_webhook_url: str = "",
    slack_webhook_url: str = "",
    **more: Any,
) -> tuple[AgentJob, bool]:
    """Make a job, PENDING. Returns it with True, or the one that had this id before with False.

    Of any number of racing requests with one id exactly one gets True: the database decides.
    `more` are further columns: batch, check_args, original.
    """
    schema = input_payload[f"{agent.kind}_schema"]
    subject = subjects.name_of(schema)
    job = AgentJob(
        account_id=agent.account_id,
        agent=agent,
        job_id=job_id,
        case_id=str(schema["id"]),
        input_payload=input_payload,
        check_ids=list(check_ids),
        webhook_url=webhook_url,
        tool_webhook_url=tool_webhook_url,
        slack_webhook_url=slack_webhook_url,
        status_messages=[message("Job created.")],
        subject=subject,
        subject_key=subjects.key_of(subject),
        **more,
    )
    try:
        with transaction.atomic():
            statements.insert([job])
            bell.ring(LANE)
    except IntegrityError:
        return AgentJob.objects.get(account_id=agent.account_id, job_id=job_id), False
    return job, True


def advance(job: AgentJob) -> None:
    """Run the job to its end, from wherever an earlier run left it."""
    [job.agent] = statements.rows(Agent, pk=job.agent_id)
    kind = cast("registry.CaseKind", job.agent.kind)
    asked = _asked(job)
    selected = registry.select(asked, kind=kind) if asked else catalogue.by_default(kind)
    checks = agents.in_order(selected, job.agent)
    progress = Progress(job, [check.id for check in checks])
    try:
        for check in checks:
            if progress.is_open(check.id):
                _run_check(job, check, progress)
    except documents.FetchError:
        # Whoever holds the document is away for a moment; what was done so far stands.
        job.settle(due_at=work.backoff(job.claims))
        return
    _finish(job, progress)


def give_up(job: AgentJob, reason: str) -> None:
    """End a job that cannot be run, with the reason: it must never hang."""
    with transaction.atomic():
        if job.move(AgentJob.Status.FAILED, error=reason, due_at=None, leased_until=None):
            deliveries.queue(deliveries.of_end(job))


def recommend(verdicts: Sequence[str]) -> str:
    """The declared rule: Deny if a check failed the subject; Approve if all that apply passed
    and at least one did; Review in every other case, so also where a check could not tell."""
    if "fail" in verdicts:
        return "Deny"
    applied = [verdict for verdict in verdicts if verdict != "not_applicable"]
    return "Approve" if applied and set(applied) == {"pass"} else "Review"


def _asked(job: AgentJob) -> list[str]:
    """The checks that the request selects, else those that the agent names; empty for neither."""
    return job.check_ids or [entry["check_id"] for entry in job.agent.checks]


def _arguments(job: AgentJob, check: Check) -> dict[str, Any]:
    entries = {entry["check_id"]: entry.get("arguments") or {} for entry in job.agent.checks}
    given = {**entries.get(check.id, {}), **job.check_args.get(check.id, {})}
    # Those that it declares and no others: where trusted certificates lie is no caller's to say.
    taken = {name: given[name] for name in check.taken() if given.get(name) is not None}
    roots = {SIGNATURE_ROOTS: settings.SIGNATURE_ROOTS} if settings.SIGNATURE_ROOTS else {}
    return {**taken, **roots}


def _run_check(job: AgentJob, check: Check, progress: Progress) -> None:
    attested = job.schema.get("self_attested_data") or {}
    if check.documents:
        run = progress.run_of(check.id)
        run.move(CheckRun.Status.IN_PROGRESS)
        examined = [
            _examine_document(job, check, run, number, wire)
            for number, wire in enumerate(check.documents_of(attested))
        ]
        run.end(*_conclude(check, examined, attested))
        return
    if isinstance(check, ASKING):
        progress.write()
        job.keep(settings.LEASE)  # it waits less than that for the other party
    outcomes = dict(
        engine.examine(
            check.id, file=b"", file_name="", attested=attested, document={},
            arguments=_arguments(job, check), reference=reference.of(job),
        )
    )  # fmt: skip
    end = _conclude(check, [Examined(document={}, outcomes=outcomes)], attested)
    progress.add(check.id, *end, outcomes)


def _examine_document(
    job: AgentJob, check: Check, run: CheckRun, number: int, wire: Mapping[str, Any]
) -> Examined:
    """Run the check's tools over one document, each result sent as soon as it is there."""
    document = {key: value for key, value in wire.items() if key != "b64_document"}
    outcomes: dict[str, Any] = {
        stood.tool_id: stood.results for stood in run.tool_runs.filter(document=number)
    }
    attested = job.schema.get("self_attested_data") or {}
    error = ""
    job.keep(settings.LEASE)
    try:
        given = {
            "check_id": check.id,
            "file": documents.fetch(wire),
            "beside": _beside(job, check, document, attested),
            "file_name": str(wire.get("file_name") or ""),
            "attested": attested,
            "document": document,
            "arguments": _arguments(job, check),
            "skip": list(outcomes),
        }
        for tool_id, results in _read(job, given):
            results = reuse.consult(job, tool_id, results)
            with transaction.atomic():
                _record_tool(job, run, number=number, tool_id=tool_id, results=results)
            outcomes[tool_id] = results
    except (documents.FetchError, isolation.IsolationError) as exc:
        passing = isinstance(exc, documents.FetchError) and not exc.permanent
        if passing and job.claims < FETCH_TRIES:
            raise
        error = f"The document could not be examined: {exc}."
        if isinstance(exc, isolation.IsolationError):
            told = _endings(check, document, str(exc))
            silent = {tool_id: told[tool_id] for tool_id in told.keys() - outcomes}
            _tell_of_end(job, run, number, silent)
            outcomes |= silent
    return Examined(document=document, outcomes=outcomes, error=error)


def _read(job: AgentJob, given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the tools find in a document, once it is this job's turn. Raises IsolationError."""
    while not _readers.acquire(timeout=isolation.TICK):
        job.keep(settings.LEASE)
    try:
        yield from isolation.stream(
            "checks.engine:examine",
            given,
            seconds=settings.DOCUMENT_SECONDS,
            tick=lambda: job.keep(settings.LEASE),
        )
    finally:
        _readers.release()


def _beside(
    job: AgentJob, check: Check, document: Mapping[str, Any], attested: Mapping[str, Any]
) -> bytes | None:
    """The content of the document that the check's tools look at together with this one."""
    other = check.beside(document, attested)
    if other is None:
        return None
    job.keep(settings.LEASE)  # it is long enough for one
    try:
        return documents.fetch(other)
    except documents.FetchError as exc:
        raise documents.FetchError(f"the one beside it: {exc}", permanent=exc.permanent) from exc


def _tell_of_end(
    job: AgentJob, run: CheckRun, number: int, results: Mapping[str, dict[str, Any]]
) -> None:
    """What the tools say of a document that crashed or stalled its reader is sent like the rest."""
    with transaction.atomic():
        for tool_id, said in results.items():
            _record_tool(job, run, number=number, tool_id=tool_id, results=said)


def _endings(check: Check, document: Mapping[str, Any], ending: str) -> dict[str, dict[str, Any]]:
    """The results of those tools of a check that speak of a document which stopped its reader."""
    named = documents.reference(document)
    told = ((tool.id, tool.broken_off(ending, named)) for tool in check.tools)
    return {tool_id: outcome.to_wire() for tool_id, outcome in told if outcome}


def _record_tool(
    job: AgentJob, run: CheckRun, *, number: int, tool_id: str, results: dict[str, Any]
) -> None:
    _, created = ToolRun.objects.get_or_create(
        check_run=run, document=number, tool_id=tool_id, defaults={"results": results}
    )
    if created:
        deliveries.queue(deliveries.of_tool(job, run, tool_id, results))


def _conclude(
    check: Check, examined: Sequence[Examined], attested: Mapping[str, Any]
) -> tuple[CheckRun.Status, dict[str, Any]]:
    """How the check ends, and its verdict."""
    told = _endings(check, {}, "").keys()  # of a document that stopped its reader, these say so
    broken = [found for found in examined if found.error and found.outcomes.keys() <= told]
    # A check that could see none of its documents could not run; one that saw some concludes.
    failed = bool(examined) and len(broken) == len(examined)
    result = engine.conclude(check.id, examined, attested)
    return CheckRun.Status.FAILED if failed else CheckRun.Status.COMPLETED, result


def _finish(job: AgentJob, progress: Progress) -> None:
    """Every check has ended: tell how it went."""
    ends = progress.outcomes()
    # A check without a document of its kind had nothing to do, and did not finish anything.
    applied = [(status, said) for status, said in ends if said.get("verdict") != "not_applicable"]
    if applied and all(status == CheckRun.Status.FAILED for status, _ in applied):
        reasons = (reason for _, said in ends for reason in said.get("alerts") or ())
        error = " ".join(dict.fromkeys(reasons)) or "No check could be run."
        progress.finish(AgentJob.Status.FAILED, error=error)
        return
    failed = any(status == CheckRun.Status.FAILED for status, _ in ends)
    verdicts = [str(said.get("verdict", "inconclusive")) for _, said in ends]
    progress.finish(
        AgentJob.Status.COMPLETE,
        recommendation="Review" if failed else recommend(verdicts),
        status_messages=[*job.status_messages, message(f"Job complete: {len(ends)} checks.")],
    )
