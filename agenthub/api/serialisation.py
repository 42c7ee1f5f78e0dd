"""What the hub answers: rows to the interface's JSON, one spelling at each place.

JSON columns leave the database as text and go out as they are: nothing is parsed only to be
written again.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Case, QuerySet, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from orjson import Fragment

from agenthub.models import Agent, AgentJob, CheckRun, Feedback
from agenthub.models.jobs import WAITING
from agenthub.statements import Statement

Wire = dict[str, Any]

# getJobsByCaseId says "completed" where getJobById says "complete".
STATUS_BY_ID: Mapping[str, str] = {status.value: status.lower() for status in AgentJob.Status}
STATUS_BY_CASE: Mapping[str, str] = {**STATUS_BY_ID, AgentJob.Status.COMPLETE.value: "completed"}

_SCHEMA = Case(
    When(agent__kind=Agent.Kind.KYB, then=KT("input_payload__kyb_schema")),
    default=KT("input_payload__kyc_schema"),
)


def started(job: AgentJob, agent: Agent, body: Mapping[str, Any]) -> Wire:
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
    rows: QuerySet[AgentJob], *, spelling: Mapping[str, str], messages: bool
) -> dict[int, Wire]:
    """Jobs by their primary key, in the order of `rows`, in one query."""
    found = _columns(rows, "rerun__job_id", "original__job_id", messages=messages)
    return {row["pk"]: _job(row, spelling) for row in found}


def job_by_id(*, account: int, job_id: uuid.UUID, messages: bool) -> tuple[int, Wire] | None:
    """A job of the account as getJobById sends it, with its primary key."""
    statement = _JOB_BY_ID[messages]
    for found in statement.run(account=account, job_id=job_id):
        row = dict(zip(statement.names, found, strict=True))
        return row["pk"], _job(row, STATUS_BY_ID)
    return None


def jobs_of_case(*, account: int, agent_key: str, case_id: str, messages: bool) -> dict[int, Wire]:
    """All jobs of a case with one agent, as getJobsByCaseId sends them, by their primary key."""
    statement = _JOBS_OF_CASE[messages]
    rows = statement.run(account=account, agent=agent_key, case=case_id)
    names = statement.names
    found = [dict(zip(names, row, strict=True)) for row in rows]
    # A job that runs again has the case and the agent of the one before: both are among the rows.
    ids = {row["pk"]: row["job_id"] for row in found}
    reruns = {row["original_id"]: row["job_id"] for row in found}
    for row in found:
        row["rerun__job_id"] = reruns.get(row["pk"])
        row["original__job_id"] = ids.get(row["original_id"])
    return {row["pk"]: _job(row, STATUS_BY_CASE) for row in found}


def _columns(rows: QuerySet[AgentJob], *links: str, messages: bool) -> QuerySet[AgentJob, Any]:
    found: QuerySet[AgentJob, Any] = rows.annotate(
        schema_json=_SCHEMA, reasons_json=Cast("recommendation_reasons", TextField())
    ).values(
        *("pk", "job_id", "status", "created_at", "updated_at", "recommendation", "error"),
        *("schema_json", "agent__key", "reasons_json", "requirements_version", *links),
        **({"messages_json": Cast("status_messages", TextField())} if messages else {}),
    )
    return found


def _jobs_of_case(*, messages: bool, account: int, agent: str, case: str) -> QuerySet[AgentJob]:
    # A job's account is its agent's: asked of the agent, it leaves one index to read the jobs by.
    rows = AgentJob.objects.filter(agent__account=account, agent__key=agent, case_id=case)
    return _columns(rows, "original_id", messages=messages)


# Values that stand for an account, an agent's key and a case where the SQL is written.
_JOBS_OF_CASE = {
    messages: Statement(
        partial(_jobs_of_case, messages=messages), account=-7, agent="?agent", case="?case"
    )
    for messages in (False, True)
}


def _job_by_id(*, messages: bool, account: int, job_id: uuid.UUID) -> QuerySet[AgentJob]:
    rows = AgentJob.objects.filter(account=account, job_id=job_id).order_by()
    return _columns(rows, "rerun__job_id", "original__job_id", messages=messages)


_JOB_BY_ID = {
    messages: Statement(partial(_job_by_id, messages=messages), account=-7, job_id=uuid.UUID(int=7))
    for messages in (False, True)
}


_SOMETIMES = (
    ("recommendation", "recommendation"),
    ("requirements_version", "requirements_version"),
    ("error", "error"),
    ("new_job_id", "rerun__job_id"),
    ("original_job_id", "original__job_id"),
)


def _job(row: Mapping[str, Any], spelling: Mapping[str, str]) -> Wire:
    job = {
        "id": row["job_id"],
        "status": spelling[row["status"]],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "agent_id": row["agent__key"],
        "input_payload": Fragment(row["schema_json"]),
    }
    # These are strings on the wire, so they are absent until there is something to say.
    job |= {name: row[column] for name, column in _SOMETIMES if row[column]}
    if row["requirements_version"]:
        job["recommendation_reasons"] = Fragment(row["reasons_json"])
    if "messages_json" in row:
        job["status_messages"] = Fragment(row["messages_json"])
    return job


_RESULTS_OF_JOB = Statement(
    lambda job: (
        CheckRun.objects.filter(job=job)
        .order_by("id")
        .values(
            *("id", "check_id", "status", "created_at", "updated_at"),
            result_json=CheckRun.AS_TEXT,
            messages_json=Cast("status_messages", TextField()),
        )
    ),
    job=-7,
)


def check_results(job_pk: int) -> list[Wire]:
    """The check results of a job as getCheckResults sends them, oldest first."""
    found = _RESULTS_OF_JOB.run(job=job_pk)
    return [
        {
            "id": str(pk),
            "check_id": check_id,
            "command_id": check_id,
            "status": status,
            "result": Fragment(result),
            "status_messages": _messages(messages, created_at),
            "created_at": created_at,
            "updated_at": updated_at,
        }
        for pk, check_id, status, created_at, updated_at, result, messages in found
    ]


def _messages(stored: str, created_at: datetime) -> Any:
    """The messages of a check. One that was made before checks said "Waiting" waits all the same."""
    if stored == "[]":
        return [{"timestamp": created_at, "message": WAITING}]
    return Fragment(stored)


def check_results_of_job(job_pk: int, job_id: uuid.UUID) -> list[Wire]:
    """As getJobById sends them: those of getCheckResults with their type, and the instance of the
    agent that tool webhooks name."""
    return [
        {**result, "type": result["check_id"], "agent_instance_id": job_id}
        for result in check_results(job_pk)
    ]


def one_result(job: AgentJob, run: CheckRun, *, messages: bool) -> Wire:
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
    states = dict.fromkeys(CheckRun.Status.values, 0)
    for run in runs:
        states[run.status] += 1
    summary: Wire = {
        "id": job.job_id,
        "job_id": job.job_id,
        "case_id": job.case_id,
        "agent_id": job.agent.key,
        "status": STATUS_BY_ID[job.status],
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "count": len(runs),
        "checks_by_status": states,
        "checks": [
            {
                "check_id": run.check_id,
                "command_id": run.check_id,
                "status": run.status,
                "status_message": _all_messages(run)[-1],
            }
            for run in runs
        ],
    }
    if job.recommendation:
        summary["recommendation"] = job.recommendation
    if job.error:
        summary["error"] = job.error
    return summary


def feedback_input(row: Feedback) -> Wire:
    """Feedback as getFeedbackInputsByKey sends it: the members as they were sent."""
    body = row.body if isinstance(row.body, Mapping) else {}
    sent: Wire = {
        "id": str(row.pk),
        "job_id": row.job.job_id,
        "key": body.get("key") or row.check_id,
        "comment": body.get("feedback") or body.get("comment") or "",
        "value": body.get("value"),
        "created_at": row.created_at,
    }
    return sent | ({"check_id": row.check_id} if row.check_id else {})


def _all_messages(run: CheckRun) -> list[Wire]:
    waiting = [{"timestamp": run.created_at, "message": WAITING}]
    return run.status_messages or waiting


def _sources(result: Mapping[str, Any]) -> list[str]:
    """Where the values of a result's evidence come from, each once."""
    evidence = result.get("evidence") or []
    named = (row.get("source") for row in evidence if isinstance(row, Mapping))
    return list(dict.fromkeys(str(source) for source in named if source))


def add_results(jobs_by_pk: Mapping[int, Wire]) -> None:
    """Give each job its check_results as getJobsByCaseId sends them, in one query."""
    found: dict[int, list[Wire]] = {pk: [] for pk in jobs_by_pk}
    for job_pk, pk, check_id, status, result in _RESULTS.run(jobs=list(found)):
        found[job_pk].append(
            {
                "id": str(pk),
                "type": check_id,
                "check_id": check_id,
                "command_id": check_id,
                "status": status,
                "result": Fragment(result),
            }
        )
    for pk, job in jobs_by_pk.items():
        job["check_results"] = found[pk]


_RESULTS = Statement(
    lambda jobs: (
        CheckRun.objects.filter(job__in=jobs)
        .order_by("id")
        .values("job_id", "pk", "check_id", "status", result_json=CheckRun.AS_TEXT)
    ),
    jobs=[-7],
)


def check_result_ids(job_pk: int) -> list[str]:
    ids = CheckRun.objects.filter(job=job_pk).order_by("id").values_list("id", flat=True)
    return [str(pk) for pk in ids]


def feedback(job_pk: int) -> list[Wire]:
    found = Feedback.objects.filter(job=job_pk).order_by("id")
    return [
        {"id": str(row.pk), "feedback": row.text, "created_at": row.created_at}
        | ({"check_id": row.check_id} if row.check_id else {})
        for row in found
    ]
