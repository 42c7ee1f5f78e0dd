"""The life of a job at the hub: created, run check by check, finished.

A run may be cut off anywhere and taken up by another worker: what stands is skipped. Each tool's
results and the webhook that tells of them are written in one transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from agenthub import agents, catalogue, deliveries, documents, reuse, subjects
from agenthub.models import Agent, AgentJob, CheckRun, ToolRun
from agenthub.screening import reference
from checks import engine, registry
from checks.base import Check, Examined
from checks.builtin import ASKING
from checks.document_fraud_check.facts import SIGNATURE_ROOTS
from compliance import bell, isolation, statements, work

LANE = "agenthub.jobs"

# A document that cannot be fetched now is asked for again, until the job was taken up this often.
FETCH_TRIES = 6


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
    with transaction.atomic():
        if job.status == AgentJob.Status.PENDING:
            if job.move(AgentJob.Status.RUNNING):
                deliveries.queue_start(job)
            else:  # moved by a worker whose lease ran out since
                job.refresh_from_db(fields=["status"])
        if job.status != AgentJob.Status.RUNNING:
            return
        runs = _runs(job, checks)
    try:
        for check in checks:
            run = runs[check.id]
            if run.status in {CheckRun.Status.PENDING, CheckRun.Status.IN_PROGRESS}:
                _run_check(job, check, run)
    except documents.FetchError:
        # Whoever holds the document is away for a moment; what was done so far stands.
        job.settle(due_at=work.backoff(job.claims))
        return
    _finish(job, list(runs.values()))


def give_up(job: AgentJob, reason: str) -> None:
    """End a job that cannot be run, with the reason: it must never hang."""
    with transaction.atomic():
        if job.move(AgentJob.Status.FAILED, error=reason, due_at=None, leased_until=None):
            deliveries.queue_job_event(job)


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


def _runs(job: AgentJob, checks: Sequence[Check]) -> dict[str, CheckRun]:
    """A CheckRun for each check, made once however often the job is taken up."""
    fresh = [CheckRun(job=job, check_id=check.id) for check in checks]
    if job.claims == 1:
        statements.insert(fresh)
        return {run.check_id: run for run in fresh}
    CheckRun.objects.bulk_create(fresh, ignore_conflicts=True)
    return {run.check_id: run for run in job.check_runs.all()}


def _run_check(job: AgentJob, check: Check, run: CheckRun) -> None:
    attested = job.schema.get("self_attested_data") or {}
    if check.documents:
        run.move(CheckRun.Status.IN_PROGRESS)
        examined = [
            _examine_document(job, check, run, number, wire)
            for number, wire in enumerate(check.documents_of(attested))
        ]
        _conclude(check, run, examined, attested)
        return
    if isinstance(check, ASKING):
        job.keep(settings.LEASE)  # it waits less than that for the other party
    # A check of the data alone is done in moments: its tools and its end are one transaction.
    outcomes = dict(
        engine.examine(
            check.id, file=b"", file_name="", attested=attested, document={},
            arguments=_arguments(job, check), reference=reference.of(job),
        )
    )  # fmt: skip
    with transaction.atomic():
        # The end first: of two workers, one ends the check and records what its tools said.
        if _conclude(check, run, [Examined(document={}, outcomes=outcomes)], attested):
            statements.insert(
                [
                    ToolRun(check_run=run, document=0, tool_id=tool_id, results=results)
                    for tool_id, results in outcomes.items()
                ]
            )
            for tool_id, results in outcomes.items():
                deliveries.queue_tool_event(job, run, tool_id, results)


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
        for tool_id, results in isolation.stream(
            "checks.engine:examine",
            {
                "check_id": check.id,
                "file": documents.fetch(wire),
                "beside": _beside(job, check, document, attested),
                "file_name": str(wire.get("file_name") or ""),
                "attested": attested,
                "document": document,
                "arguments": _arguments(job, check),
                "skip": list(outcomes),
            },
            seconds=settings.DOCUMENT_SECONDS,
            tick=lambda: job.keep(settings.LEASE),
        ):
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
        deliveries.queue_tool_event(job, run, tool_id, results)


def _conclude(
    check: Check, run: CheckRun, examined: Sequence[Examined], attested: Mapping[str, Any]
) -> bool:
    """End the check with its verdict. Returns False where it had ended before."""
    told = _endings(check, {}, "").keys()  # of a document that stopped its reader, these say so
    broken = [found for found in examined if found.error and found.outcomes.keys() <= told]
    # A check that could see none of its documents could not run; one that saw some concludes.
    failed = bool(examined) and len(broken) == len(examined)
    result = engine.conclude(check.id, examined, attested)
    status = CheckRun.Status.FAILED if failed else CheckRun.Status.COMPLETED
    return run.end(status, result=result, messages=[message(result["explanation"])])


def _finish(job: AgentJob, runs: Sequence[CheckRun]) -> None:
    """Every check has ended: tell how it went."""
    # A check without a document of its kind had nothing to do, and did not finish anything.
    applied = [run for run in runs if run.result.get("verdict") != "not_applicable"]
    if applied and all(run.status == CheckRun.Status.FAILED for run in applied):
        reasons = (reason for run in runs for reason in run.result.get("alerts") or ())
        give_up(job, " ".join(dict.fromkeys(reasons)) or "No check could be run.")
        return
    failed = any(run.status == CheckRun.Status.FAILED for run in runs)
    verdicts = [str(run.result.get("verdict", "inconclusive")) for run in runs]
    recommendation = "Review" if failed else recommend(verdicts)
    messages = [*job.status_messages, message(f"Job complete: {len(runs)} checks.")]
    with transaction.atomic():
        moved = job.move(
            AgentJob.Status.COMPLETE,
            recommendation=recommendation,
            status_messages=messages,
            due_at=None,
            leased_until=None,
        )
        if moved:
            deliveries.queue_job_event(job)


def message(text: str) -> dict[str, str]:
    return {"timestamp": now().isoformat().replace("+00:00", "Z"), "message": text}
