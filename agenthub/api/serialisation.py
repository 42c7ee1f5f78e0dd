"""JSON of the hub's responses. Each endpoint has its own spelling of statuses.

JSON columns are read as text and sent unchanged: parsing them only to write them again would be
wasted time.
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

# getJobsByCaseId spells "completed" what getJobById spells "complete".
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
    """The response to a start. Only here, the input payload is the whole request."""
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
    """Jobs by primary key, in the order of the queryset, from one query."""
    rows = _columns(queryset, "rerun__job_id", "original__job_id", messages=messages)
    jobs: dict[int, Wire] = {}
    for row in rows:
        jobs[row["pk"]] = _job(row, spelling)
    return jobs


def job_by_id(
    *, account: Account, job_id: uuid.UUID, messages: bool
) -> tuple[int, Wire] | None:
    """(primary key, job in the JSON of getJobById), or None if the account has no such job."""
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
    """All jobs of a case with one agent in the JSON of getJobsByCaseId, by primary key."""
    # Filter by the agent's account, which is that of the job, so that one index is sufficient.
    queryset = AgentJob.objects.filter(
        agent__account=account,
        agent__key=agent_key,
        case_id=case_id,
    )
    rows = list(_columns(queryset, "original_id", messages=messages))
    # A rerun has the same case and agent as its original, so both are among these rows.
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


# These members are strings in the interface, so empty ones are omitted.
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
        # The payload is empty if its data key was erased.
        "input_payload": payload.get(f"{row['agent__kind']}_schema") or {},
    }
    for member, column in _OPTIONAL:
        if row[column]:
            job[member] = opened(row[column])
    if row["requirements_version"]:
        job["recommendation_reasons"] = Fragment(row["reasons_json"])
    if "messages_json" in row:
        job["status_messages"] = Fragment(row["messages_json"])
    return job


def check_results(job_pk: int) -> list[Wire]:
    """The check results of a job in the JSON of getCheckResults, oldest first."""
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
            "status_messages",
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
    messages: object,
) -> Wire:
    """`result` and `messages` are values of `values_list`."""
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


def _messages(value: object, created_at: datetime) -> Fragment | list[Wire]:
    """The messages of a check. Older check runs have none: they get "Waiting"."""
    if not value:
        return [{"timestamp": created_at, "message": WAITING}]
    return json_text(value, erased=b"[]")


def check_results_of_job(job_pk: int, job_id: uuid.UUID) -> list[Wire]:
    """The check results in the JSON of getJobById.

    They are those of getCheckResults plus the type, and the instance of the agent that tool
    webhooks name."""
    results = check_results(job_pk)
    for result in results:
        result["type"] = result["check_id"]
        result["agent_instance_id"] = job_id
    return results


def check_result(job: AgentJob, run: CheckRun, *, messages: bool) -> Wire:
    """A check result in the JSON of getCheckResultFromJob: with the sources of its evidence."""
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
    """A job in the JSON of getJobStatusSummary: its progress, and that of each check."""
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
    """The member "waiting" of an open job; empty for an ended one."""
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
    """Feedback in the JSON of getFeedbackInputsByKey: the members as they were received."""
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
    """The distinct sources of the values in a result's evidence."""
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
    """Add check_results to each job in the JSON of getJobsByCaseId, with one query."""
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
