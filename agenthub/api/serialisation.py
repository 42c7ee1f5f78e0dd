"""What the hub answers: rows to the interface's JSON, one spelling at each place.

JSON columns leave the database as text and go out as they are: nothing is parsed only to be
written again.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from orjson import Fragment

from agenthub.jobs import waiting
from agenthub.models import Account, Agent, AgentJob, CheckRun, Feedback
from agenthub.models.jobs import WAITING
from agenthub.models.personal import json_text
from agenthub.wire import JsonObject, Wire
from compliance.security.personal_fields import opened

# getJobsByCaseId says "completed" where getJobById says "complete".
STATUS_BY_ID: Mapping[str, str] = {
    status.value: status.lower() for status in AgentJob.Status
}
STATUS_BY_CASE: Mapping[str, str] = {
    **STATUS_BY_ID,
    AgentJob.Status.COMPLETE.value: "completed",
}

_COLUMNS = (
    "pk",
    "job_id",
    "status",
    "created_at",
    "updated_at",
    "recommendation",
    "error",
    "agent__key",
    "agent__kind",
    "input_payload",
    "requirements_version",
)


def start_answer(job: AgentJob, agent: Agent, body: JsonObject) -> Wire:
    """The answer to a start: here, and only here, the input payload is the whole request."""
    return {
        "status": "ok",
        "job_id": job.job_id,
        "message": "Job created.",
        "job": {
            "id": job.job_id,
            "status": AgentJob.Status.PENDING.value,
            "created_at": job.created_at,
            "updated_at": job.updated_at,
            "agent_id": agent.key,
            "input_payload": body,
        },
    }


def jobs(
    queryset: QuerySet[AgentJob], *, spelling: Mapping[str, str], messages: bool
) -> dict[int, Wire]:
    """Jobs by their primary key, in the order of the queryset, in one query."""
    rows = _columns(queryset, "rerun__job_id", "original__job_id", messages=messages)
    jobs: dict[int, Wire] = {}
    for row in rows:
        jobs[row["pk"]] = _job(row, spelling)
    return jobs


def job_by_id(
    *, account: Account, job_id: uuid.UUID, messages: bool
) -> tuple[int, Wire] | None:
    """A job of the account as getJobById sends it, with its primary key."""
    queryset = AgentJob.objects.filter(account=account, job_id=job_id)
    row = _columns(
        queryset, "rerun__job_id", "original__job_id", messages=messages
    ).first()
    if row is None:
        return None
    return row["pk"], _job(row, STATUS_BY_ID)


def jobs_of_case(
    *, account: Account, agent_key: str, case_id: str, messages: bool
) -> dict[int, Wire]:
    """All jobs of a case with one agent, as getJobsByCaseId sends them, by their primary key."""
    # A job's account is its agent's. The filter is on the agent, so that one index serves it.
    queryset = AgentJob.objects.filter(
        agent__account=account,
        agent__key=agent_key,
        case_id=case_id,
    )
    rows = list(_columns(queryset, "original_id", messages=messages))
    # A job that runs again has the case and the agent of the one before: both are among the rows.
    ids: dict[int, uuid.UUID] = {}
    reruns: dict[int, uuid.UUID] = {}
    for row in rows:
        ids[row["pk"]] = row["job_id"]
        reruns[row["original_id"]] = row["job_id"]
    for row in rows:
        row["rerun__job_id"] = reruns.get(row["pk"])
        row["original__job_id"] = ids.get(row["original_id"])
    return {row["pk"]: _job(row, STATUS_BY_CASE) for row in rows}


def _columns(
    queryset: QuerySet[AgentJob], *links: str, messages: bool
) -> QuerySet[AgentJob, Any]:
    expressions = {
        "reasons_json": Cast("recommendation_reasons", TextField()),
    }
    if messages:
        expressions["messages_json"] = Cast("status_messages", TextField())
    rows: QuerySet[AgentJob, object] = queryset.values(*_COLUMNS, *links, **expressions)
    return rows


# These members are strings on the wire, so they are absent while they are empty.
_OPTIONAL = (
    ("recommendation", "recommendation"),
    ("requirements_version", "requirements_version"),
    ("error", "error"),
    ("new_job_id", "rerun__job_id"),
    ("original_job_id", "original__job_id"),
)


def _job(row: JsonObject, spelling: Mapping[str, str]) -> Wire:
    payload = opened(row["input_payload"])
    job = {
        "id": row["job_id"],
        "status": spelling[row["status"]],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "agent_id": row["agent__key"],
        # Empty where it was erased.
        "input_payload": payload.get(f"{row['agent__kind']}_schema") or {},
    }
    for member, column in _OPTIONAL:
        if row[column]:
            job[member] = row[column]
    if row["requirements_version"]:
        job["recommendation_reasons"] = Fragment(row["reasons_json"])
    if "messages_json" in row:
        job["status_messages"] = Fragment(row["messages_json"])
    return job


def check_results(job_pk: int) -> list[Wire]:
    """The check results of a job as getCheckResults sends them, oldest first."""
    rows = (
        CheckRun.objects.filter(job=job_pk)
        .order_by("id")
        .values_list(
            "id",
            "check_id",
            "status",
            "created_at",
            "updated_at",
            "result",
            Cast("status_messages", TextField()),
        )
    )
    return [_check_result(*row) for row in rows]


def _check_result(
    pk: int,
    check_id: str,
    status: str,
    created_at: datetime,
    updated_at: datetime,
    result: object,
    messages: str,
) -> Wire:
    """`result` is as `values_list` gives it, `messages` a JSON text."""
    return {
        "id": str(pk),
        "check_id": check_id,
        "command_id": check_id,
        "status": status,
        "result": json_text(result),
        "status_messages": _messages(messages, created_at),
        "created_at": created_at,
        "updated_at": updated_at,
    }


def _messages(text: str, created_at: datetime) -> Fragment | list[Wire]:
    """The messages of a check. Checks from before there was the message "Waiting" have none."""
    if text == "[]":
        return [{"timestamp": created_at, "message": WAITING}]
    return Fragment(text)


def check_results_of_job(job_pk: int, job_id: uuid.UUID) -> list[Wire]:
    """As getJobById sends them: those of getCheckResults with their type, and the instance of the
    agent that tool webhooks name."""
    results = check_results(job_pk)
    for result in results:
        result["type"] = result["check_id"]
        result["agent_instance_id"] = job_id
    return results


def check_result(job: AgentJob, run: CheckRun, *, messages: bool) -> Wire:
    """A check result as getCheckResultFromJob sends it: with the sources of its evidence."""
    result: Wire = {
        "id": str(run.pk),
        "type": run.check_id,
        "check_id": run.check_id,
        "command_id": run.check_id,
        "agent_instance_id": job.job_id,
        "status": run.status,
        "result": run.result,
        "sources": _sources(run.result),
        "created_at": run.created_at,
        "updated_at": run.updated_at,
    }
    if messages:
        result["status_messages"] = _all_messages(run)
    return result


def job_summary(job: AgentJob) -> Wire:
    """A job as getJobStatusSummary sends it: how far it is, and how far each of its checks."""
    runs = list(job.check_runs.order_by("id"))
    counts = dict.fromkeys(CheckRun.Status.values, 0)
    for run in runs:
        counts[run.status] += 1
    summary: Wire = {
        "id": job.job_id,
        "job_id": job.job_id,
        "case_id": job.case_id,
        "agent_id": job.agent.key,
        "status": STATUS_BY_ID[job.status],
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "count": len(runs),
        "checks_by_status": counts,
        "checks": [_run_summary(run) for run in runs],
    }
    if job.recommendation:
        summary["recommendation"] = job.recommendation
    if job.error:
        summary["error"] = job.error
    if wait := waiting.of(job):
        summary["waiting"] = wait.to_wire()
    return summary


def waiting_of(job_pk: int) -> Wire:
    """The member "waiting" of a job that has not ended; of others none."""
    job = AgentJob.objects.defer("input_payload", "status_messages").get(pk=job_pk)
    wait = waiting.of(job)
    return {"waiting": wait.to_wire()} if wait else {}


def _run_summary(run: CheckRun) -> Wire:
    messages = _all_messages(run)
    return {
        "check_id": run.check_id,
        "command_id": run.check_id,
        "status": run.status,
        "status_message": messages[-1],
    }


def feedback_input(row: Feedback) -> Wire:
    """Feedback as getFeedbackInputsByKey sends it: the members as they came."""
    body: JsonObject = {}
    if isinstance(row.body, Mapping):
        body = row.body
    feedback_wire: Wire = {
        "id": str(row.pk),
        "job_id": row.job.job_id,
        "key": body.get("key") or row.check_id,
        "comment": body.get("feedback") or body.get("comment") or "",
        "value": body.get("value"),
        "created_at": row.created_at,
    }
    if row.check_id:
        feedback_wire["check_id"] = row.check_id
    return feedback_wire


def _all_messages(run: CheckRun) -> list[Wire]:
    if run.status_messages:
        return list(run.status_messages)
    return [{"timestamp": run.created_at, "message": WAITING}]


def _sources(result: JsonObject) -> list[str]:
    """Where the values of a result's evidence come from, each once."""
    sources: dict[str, None] = {}
    for row in result.get("evidence") or []:
        if isinstance(row, Mapping):
            source = row.get("source")
        else:
            source = None
        if source:
            sources[str(source)] = None
    return list(sources)


def add_results(jobs_by_pk: Mapping[int, Wire]) -> None:
    """Give each job its check_results as getJobsByCaseId sends them, in one query."""
    for job in jobs_by_pk.values():
        job["check_results"] = []
    rows = (
        CheckRun.objects.filter(job__in=list(jobs_by_pk))
        .order_by("id")
        .values_list("job_id", "pk", "check_id", "status", "result")
    )
    for job_pk, pk, check_id, status, result in rows:
        jobs_by_pk[job_pk]["check_results"].append(
            {
                "id": str(pk),
                "type": check_id,
                "check_id": check_id,
                "command_id": check_id,
                "status": status,
                "result": json_text(result),
            }
        )


def check_result_ids(job_pk: int) -> list[str]:
    ids = (
        CheckRun.objects.filter(job=job_pk).order_by("id").values_list("id", flat=True)
    )
    return [str(pk) for pk in ids]


def feedback(job_pk: int) -> list[Wire]:
    rows = Feedback.objects.filter(job=job_pk).order_by("id")
    return [_feedback(row) for row in rows]


def _feedback(row: Feedback) -> Wire:
    feedback_wire: Wire = {
        "id": str(row.pk),
        "feedback": row.text,
        "created_at": row.created_at,
    }
    if row.check_id:
        feedback_wire["check_id"] = row.check_id
    return feedback_wire
