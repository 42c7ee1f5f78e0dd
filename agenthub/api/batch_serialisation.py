"""Batches and their rows as the interface's JSON."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.signing import TimestampSigner
from django.db.models import Count, F
from django.db.models.fields.json import KT
from django.urls import reverse

from agenthub.api.serialisation import STATUS_BY_CASE, Wire
from agenthub.batches import exports
from agenthub.models import Agent, AgentJob, CheckRun, JobBatch

# Rows that are told in the answer to a file; getBatchJobs lists them all.
MOST_TOLD = 100
FILE_SECONDS = 3600


class UnknownCursorError(Exception):
    pass


def batch(row: JobBatch, agent: Agent, *, signed_url: bool) -> Wire:
    said = {
        "id": row.batch_id,
        "batch_id": row.batch_id,
        "name": row.name,
        "batch_name": row.name,
        "agent_key": agent.key,
        "status": row.status,
        "read_rows": row.read_rows,
        "accepted": row.accepted,
        "rejected": row.rejected,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }
    if row.error:
        said["error"] = row.error
    if signed_url and row.file:
        said["signed_url"] = file_url(row)
    return said


def signer() -> TimestampSigner:
    return TimestampSigner(salt="agenthub.batch")


def file_url(row: JobBatch) -> str:
    """Where the file can be fetched for an hour by whoever has the URL."""
    token = signer().sign(str(row.pk))
    return settings.CALLBACK_URL + reverse("batch-file", args=[token])


def enqueued(row: JobBatch) -> Wire:
    """The answer to a file: what became of its first rows, and of all where they were few."""
    started = row.jobs.order_by("id").values_list("job_id", "case_id")[:MOST_TOLD]
    return {
        **batch(row, row.agent, signed_url=False),
        "status": "ok",
        "batch_status": row.status,
        "message": _words(row),
        "jobs": [
            {
                "id": job_id,
                "job_id": job_id,
                "case_id": case_id,
                "status": AgentJob.Status.PENDING.value,
                "agent_id": row.agent.key,
            }
            for job_id, case_id in started
        ],
        "errors": rejected(row, limit=MOST_TOLD)["rejected_rows"],
    }


def _words(row: JobBatch) -> str:
    words = f"{row.accepted} rows started, {row.rejected} rejected."
    if row.status == JobBatch.Status.RUNNING:
        return f"{words} The rest of the file is being started: see getBatchJobs."
    return words if row.status == JobBatch.Status.COMPLETE else f"{words} {row.error}"


def jobs_by_status(row: JobBatch) -> dict[str, int]:
    counted = row.jobs.order_by().values_list("status").annotate(Count("id"))
    found = {STATUS_BY_CASE[status]: count for status, count in counted}
    return {word: found.get(word, 0) for word in STATUS_BY_CASE.values()}


def jobs(
    row: JobBatch, *, statuses: Sequence[str] = (), cursor: str | None = None, limit: int
) -> Wire:
    """A page of the jobs of a batch, in the order of their start; the cursor is a job's id."""
    rows = row.jobs.order_by("id")
    if statuses:
        spelled = {word: stored for stored, word in STATUS_BY_CASE.items()}
        rows = rows.filter(status__in=[spelled[word] for word in statuses])
    if cursor is not None:
        rows = rows.filter(id__gt=_key_of_job(row, cursor))
    columns = ("pk", "job_id", "case_id", "subject", "status", "recommendation", "error")
    page = list(
        rows.values(*columns, "created_at", "updated_at", new_job_id=F("rerun__job_id"))[
            : limit + 1
        ]
    )
    more = len(page) > limit
    found = {job["pk"]: _job(job, row.agent) for job in page[:limit]}
    for job_pk, check_id, verdict in _verdicts(list(found)):
        found[job_pk]["checks"][check_id] = verdict
    listed = list(found.values())
    return {
        "jobs": listed,
        "count": len(listed),
        "next_cursor": str(listed[-1]["job_id"]) if more else None,
    }


def rejected(
    row: JobBatch, *, statuses: Sequence[str] = (), cursor: str | None = None, limit: int
) -> Wire:
    """A page of the rows that could not be started; the cursor is a line."""
    rows = row.rejected_rows.order_by("line")
    if cursor is not None:
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
            raise UnknownCursorError
        rows = rows.filter(line__gt=int(cursor))
    page = list(rows.values("line", "reason", "detail")[: limit + 1])
    more = len(page) > limit
    return {
        "jobs": [],
        "rejected_rows": page[:limit],
        "count": len(page[:limit]),
        "next_cursor": str(page[limit - 1]["line"]) if more else None,
    }


def _key_of_job(row: JobBatch, cursor: str) -> int:
    try:
        found = row.jobs.filter(job_id=uuid.UUID(cursor)).values_list("pk", flat=True).first()
    except ValueError:
        found = None
    if found is None:
        raise UnknownCursorError
    return found


def _job(row: Mapping[str, Any], agent: Agent) -> Wire:
    said = {
        "id": row["job_id"],
        "job_id": row["job_id"],
        "case_id": row["case_id"],
        "name": row["subject"],
        "agent_id": agent.key,
        "status": STATUS_BY_CASE[row["status"]],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "checks": {},
    }
    names = ("recommendation", "error", "new_job_id")
    return said | {name: row[name] for name in names if row[name]}


def _verdicts(job_pks: list[int]) -> list[tuple[int, str, str]]:
    """The word of each check of these jobs, as in the export; "pending" while it runs."""
    found = (
        CheckRun.objects.filter(job__in=job_pks)
        .order_by("id")
        .values_list("job_id", "check_id", "status", KT("result__verdict"))
    )
    ended = {CheckRun.Status.COMPLETED.value, CheckRun.Status.FAILED.value}
    return [
        (
            job_pk,
            check_id,
            exports.cell(status, verdict) if status in ended else "pending",
        )
        for job_pk, check_id, status, verdict in found
    ]
