"""What the hub answers: rows to the interface's JSON, one spelling at each place.

JSON columns leave the database as text and go out as they are: nothing is parsed only to be
written again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import Case, F, QuerySet, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from orjson import Fragment

from agenthub.models import Agent, AgentJob, CheckRun, Feedback
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
    return {row["pk"]: _job(row, spelling) for row in _columns(rows, messages=messages)}


def jobs_of_case(
    *, account: int, agent_key: str, case_id: str, messages: bool, results: bool
) -> dict[int, Wire]:
    """All jobs of a case with one agent, as getJobsByCaseId sends them, by their primary key."""
    asked = {"account": account, "agent": agent_key, "case": case_id}
    found = {row["pk"]: _job(row, STATUS_BY_CASE) for row in _JOBS_OF_CASE[messages].run(**asked)}
    if results and found:
        for job in found.values():
            job["check_results"] = []
        for row in _RESULTS_OF_CASE.run(**asked):
            # A job that started since the jobs were read is not among them.
            if row["job_id"] in found:
                found[row["job_id"]]["check_results"].append(_result_of_case(row))
    return found


def _columns(rows: QuerySet[AgentJob], *, messages: bool) -> QuerySet[AgentJob, Any]:
    found: QuerySet[AgentJob, Any] = rows.annotate(schema_json=_SCHEMA).values(
        *("pk", "job_id", "status", "created_at", "updated_at", "recommendation", "error"),
        "schema_json",
        agent_id_on_wire=F("agent__key"),
        new_job_id=F("rerun__job_id"),
        original_job_id=F("original__job_id"),
        **({"messages_json": Cast("status_messages", TextField())} if messages else {}),
    )
    return found


# Values that stand for an account, an agent's key and a case where the SQL is written.
_MARKERS: Mapping[str, Any] = {"account": -7, "agent": "?agent", "case": "?case"}


def _jobs_of_case(*, account: int, agent: str, case: str) -> QuerySet[AgentJob]:
    return AgentJob.objects.filter(account=account, agent__key=agent, case_id=case)


def _results_of_case(*, account: int, agent: str, case: str) -> QuerySet[CheckRun, Any]:
    rows = CheckRun.objects.filter(
        job__account=account, job__agent__key=agent, job__case_id=case
    ).order_by("id")
    return _result_columns(rows)


_JOBS_OF_CASE = {
    messages: Statement(
        partial(
            lambda messages, **given: _columns(_jobs_of_case(**given), messages=messages), messages
        ),
        **_MARKERS,
    )
    for messages in (False, True)
}
_RESULTS_OF_CASE = Statement(_results_of_case, **_MARKERS)


def _job(row: Mapping[str, Any], spelling: Mapping[str, str]) -> Wire:
    job = {
        "id": row["job_id"],
        "status": spelling[row["status"]],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "agent_id": row["agent_id_on_wire"],
        "input_payload": Fragment(row["schema_json"]),
    }
    # These are strings on the wire, so they are absent until there is something to say.
    names = ("recommendation", "error", "new_job_id", "original_job_id")
    job |= {name: row[name] for name in names if row[name]}
    if "messages_json" in row:
        job["status_messages"] = Fragment(row["messages_json"])
    return job


def check_results(job_pk: int) -> list[Wire]:
    """The check results of a job as getCheckResults sends them, oldest first."""
    found = (
        CheckRun.objects.filter(job=job_pk)
        .order_by("id")
        .values_list(
            *("id", "check_id", "status", "created_at", "updated_at"),
            Cast("result", TextField()),
            Cast("status_messages", TextField()),
        )
    )
    return [
        {
            "id": str(pk),
            "check_id": check_id,
            "command_id": check_id,
            "status": status,
            "result": Fragment(result),
            "status_messages": Fragment(messages),
            "created_at": created_at,
            "updated_at": updated_at,
        }
        for pk, check_id, status, created_at, updated_at, result, messages in found
    ]


def check_results_of_job(job_pk: int) -> list[Wire]:
    """As getJobById sends them: those of getCheckResults with their type."""
    return [{**result, "type": result["check_id"]} for result in check_results(job_pk)]


def check_results_by_job(job_pks: Collection[int]) -> Iterator[tuple[int, Wire]]:
    """As getJobsByCaseId sends them, each after the primary key of its job, in one query."""
    rows = CheckRun.objects.filter(job__in=job_pks).order_by("id")
    for row in _result_columns(rows):
        yield row["job_id"], _result_of_case(row)


def _result_columns(rows: QuerySet[CheckRun]) -> QuerySet[CheckRun, Any]:
    result_json = Cast("result", TextField())
    return rows.values("job_id", "pk", "check_id", "status", result_json=result_json)


def _result_of_case(row: Mapping[str, Any]) -> Wire:
    return {
        "id": str(row["pk"]),
        "type": row["check_id"],
        "check_id": row["check_id"],
        "command_id": row["check_id"],
        "status": row["status"],
        "result": Fragment(row["result_json"]),
    }


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
