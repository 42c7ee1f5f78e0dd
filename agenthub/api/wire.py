"""What the hub answers: rows to the interface's JSON, one spelling at each place.

JSON columns leave the database as text and go out as they are: nothing is parsed only to be
written again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import Case, F, QuerySet, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from orjson import Fragment

from agenthub.models import Agent, AgentJob, CheckRun

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
    found = rows.annotate(schema_json=_SCHEMA).values(
        *("pk", "job_id", "status", "created_at", "updated_at", "recommendation", "error"),
        "schema_json",
        agent_id_on_wire=F("agent__key"),
        **({"messages_json": Cast("status_messages", TextField())} if messages else {}),
    )
    return {row["pk"]: _job(row, spelling) for row in found}


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
    job |= {name: row[name] for name in ("recommendation", "error") if row[name]}
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
    found = (
        CheckRun.objects.filter(job__in=job_pks)
        .order_by("id")
        .values_list("job_id", "id", "check_id", "status", Cast("result", TextField()))
    )
    for job_pk, pk, check_id, status, result in found:
        yield (
            job_pk,
            {
                "id": str(pk),
                "type": check_id,
                "check_id": check_id,
                "command_id": check_id,
                "status": status,
                "result": Fragment(result),
            },
        )


def check_result_ids(job_pk: int) -> list[str]:
    ids = CheckRun.objects.filter(job=job_pk).order_by("id").values_list("id", flat=True)
    return [str(pk) for pk in ids]
