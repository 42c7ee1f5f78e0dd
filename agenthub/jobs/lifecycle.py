"""The life of a job at the hub: created, run check by check, finished.

A run may be cut off anywhere and taken up by another worker: what stands is skipped.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.conf import settings
from django.db import IntegrityError, transaction

from agenthub.agents import catalogue, configuration, requirements
from agenthub.deliveries import sending
from agenthub.documents import fetching
from agenthub.jobs import lookups
from agenthub.jobs.examination import Examination, TurnEndedError, arguments_of, endings
from agenthub.jobs.progress import Progress
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.jobs import COMPARING, STARTED, message
from agenthub.subjects import names
from checks import engine, registry
from checks.base import Check, Examined, alerts_of
from checks.builtin import ASKING
from compliance.db import fast_sql
from compliance.work import notify
from compliance.work.rows import backoff

QUEUE = "agenthub.tasks.run_jobs"
# Jobs that bring documents wait for each other here, and for no others.
DOCUMENTS_QUEUE = "agenthub.tasks.run_document_jobs"


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
    subject = names.name_of(schema)
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
        subject_key=names.key_of(schema, kind=agent.kind),
        **more,
    )
    job.reads_documents = brings_documents(job)
    try:
        with transaction.atomic():
            fast_sql.insert([job])
            notify.after_commit(queue_of(job))
    except IntegrityError:
        return AgentJob.objects.get(account_id=agent.account_id, job_id=job_id), False
    return job, True


def queue_of(job: AgentJob) -> str:
    """The name of the queue that works on the job."""
    return DOCUMENTS_QUEUE if job.reads_documents else QUEUE


def brings_documents(job: AgentJob) -> bool:
    """Whether a check that the job may run examines a document of its case."""
    attested = job.schema.get("self_attested_data") or {}
    asked = set(job.check_ids)
    return any(
        check.documents_of(attested)
        for check in catalogue.of_agent(job.agent)
        if not asked or asked & {check.id, *check.aliases}
    )


def advance(job: AgentJob) -> None:
    """Run the job to its end, from wherever an earlier run left it."""
    [job.agent] = fast_sql.fetch_models(Agent, pk=job.agent_id)
    if not job.reads_documents and brings_documents(job):
        # Made before there were two queues, or its agent runs other checks since.
        job.complete(due_at=job.due_at, reads_documents=True)
        notify.after_commit(DOCUMENTS_QUEUE)
        return
    kind = cast("registry.CaseKind", job.agent.kind)
    asked = _asked(job)
    selected = registry.select(asked, kind=kind) if asked else catalogue.by_default(kind)
    checks = configuration.in_order(selected, job.agent)
    progress = Progress(job, [check.id for check in checks])
    examination = Examination(job, checks, progress)
    try:
        for check in checks:
            if progress.is_open(check.id):
                _run_check(job, check, progress, examination)
    except fetching.FetchError:
        # Whoever holds the document is away for a moment; what was done so far stands.
        tries = job.faults + 1
        job.complete(due_at=backoff(tries), faults=tries)
        return
    except TurnEndedError:
        # The job has more documents: other accounts come first.
        job.complete(due_at=job.due_at)
        notify.after_commit(DOCUMENTS_QUEUE)
        return
    _finish(job, progress)


def give_up(job: AgentJob, reason: str) -> None:
    """End a job that cannot be run, with the reason: it must never hang."""
    with transaction.atomic():
        if job.move(AgentJob.Status.FAILED, error=reason, due_at=None, leased_until=None):
            sending.queue(sending.of_end(job))


def recommend(verdicts: Sequence[str], missing: Sequence[str]) -> str:
    """The declared rule: Deny if a check failed the subject; Approve if all that apply passed, at
    least one did, and the case lacks nothing that its agent requires; Review in every other case,
    so also where a check could not tell."""
    if "fail" in verdicts:
        return "Deny"
    applied = [verdict for verdict in verdicts if verdict != "not_applicable"]
    is_sound = set(applied) == {"pass"} and not missing
    return "Approve" if is_sound else "Review"


def _asked(job: AgentJob) -> list[str]:
    """The checks that the request selects, else those that the agent names; empty for neither."""
    return job.check_ids or [entry["check_id"] for entry in job.agent.checks]


def _run_check(job: AgentJob, check: Check, progress: Progress, examination: Examination) -> None:
    attested = job.schema.get("self_attested_data") or {}
    given = check.documents_of(attested)
    if check.documents and not given:
        end = _conclude(check, [], attested)
        progress.add(check.id, *end, {}, [message(STARTED)])
        return
    if check.documents:
        run = progress.run_of(check.id)
        run.begin(check.doing)
        examined = examination.of(check)
        comparing = [message(COMPARING)]
        run.end(*_conclude(check, examined, attested), comparing)
        return
    steps = [message(STARTED), message(check.doing)]
    if isinstance(check, ASKING):
        progress.write()
        job.heartbeat(settings.LEASE)  # it waits less than that for the other party
    outcomes = dict(
        engine.examine(
            check.id, file=b"", file_name="", attested=attested, document={},
            arguments=arguments_of(job, check), lookups=lookups.of(job),
        )
    )  # fmt: skip
    end = _conclude(check, [Examined(document={}, outcomes=outcomes)], attested)
    progress.add(check.id, *end, outcomes, steps)


def _conclude(
    check: Check, examined: Sequence[Examined], attested: Mapping[str, Any]
) -> tuple[CheckRun.Status, dict[str, Any]]:
    """How the check ends, and its verdict."""
    told = endings(check, {}, "").keys()  # of a document that stopped its reader, these say so
    broken = [found for found in examined if found.error and found.outcomes.keys() <= told]
    # A check that could see none of its documents could not run; one that saw some concludes.
    failed = bool(examined) and len(broken) == len(examined)
    result = engine.conclude(check.id, examined, attested)
    return CheckRun.Status.FAILED if failed else CheckRun.Status.COMPLETED, result


def _finish(job: AgentJob, progress: Progress) -> None:
    """Every check has ended: tell how it went."""
    by_check = progress.outcomes()
    ends = list(by_check.values())
    # A check without a document of its kind had nothing to do, and did not finish anything.
    applied = [(status, said) for status, said in ends if said.get("verdict") != "not_applicable"]
    if applied and all(status == CheckRun.Status.FAILED for status, _ in applied):
        reasons = (reason for _, said in ends for reason in alerts_of(said))
        error = " ".join(dict.fromkeys(reasons)) or "No check could be run."
        progress.finish(AgentJob.Status.FAILED, error=error)
        return
    failed = any(status == CheckRun.Status.FAILED for status, _ in ends)
    verdicts = {
        check_id: str(said.get("verdict", "inconclusive"))
        for check_id, (_, said) in by_check.items()
    }
    missing = requirements.missing(job.agent, job.schema.get("self_attested_data") or {}, verdicts)
    progress.finish(
        AgentJob.Status.COMPLETE,
        recommendation="Review" if failed else recommend([*verdicts.values()], missing),
        recommendation_reasons=missing,
        requirements_version=requirements.version_of(job.agent),
        status_messages=[*job.status_messages, message(f"Job complete: {len(ends)} checks.")],
    )
