"""JSON of batches and their rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.signing import TimestampSigner
from django.db.models import Count, F
from django.urls import reverse

from agenthub.api.serialisation import STATUS_BY_CASE
from agenthub.batches import exports
from agenthub.models import Agent, AgentJob, CheckRun, JobBatch
from agenthub.wire import JsonObject, Wire
from compliance.http import numbers
from compliance.security.personal_fields import opened

# The most rows in the response to an uploaded file; getBatchJobs returns all.
MOST_ROWS = 100
# Seconds for which the URL of a batch's file is valid.
FILE_SECONDS = 3600


class UnknownCursorError(Exception):
    pass


def batch(row: JobBatch, agent: Agent, *, signed_url: bool) -> Wire:
    wire = {
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
        wire["error"] = row.error
    if signed_url and row.file:
        wire["signed_url"] = file_url(row)
    return wire


def signer() -> TimestampSigner:
    return TimestampSigner(salt="agenthub.batch")


def file_url(row: JobBatch) -> str:
    """A URL with which anybody can fetch the file for an hour."""
    token = signer().sign(str(row.pk))
    path = reverse("batch-file", args=[token])
    return settings.CALLBACK_URL + path


def enqueue_answer(row: JobBatch) -> Wire:
    """The response to an uploaded file: the first jobs and rejections, or all if they are few."""
    columns = row.jobs.order_by("id").values_list("job_id", "case_id")
    first_jobs = []
    for job_id, case_id in columns[:MOST_ROWS]:
        first_jobs.append(
            {
                "id": job_id,
                "job_id": job_id,
                "case_id": case_id,
                "status": AgentJob.Status.PENDING.value,
                "agent_id": row.agent.key,
            }
        )
    page = rejections(row, limit=MOST_ROWS)
    return {
        **batch(row, row.agent, signed_url=False),
        "status": "ok",
        "batch_status": row.status,
        "message": _message(row),
        "jobs": first_jobs,
        "errors": page["rejected_rows"],
    }


def _message(row: JobBatch) -> str:
    counts = f"{row.accepted} rows started, {row.rejected} rejected."
    if row.status == JobBatch.Status.RUNNING:
        return f"{counts} The rest of the file is being started: see getBatchJobs."
    if row.status == JobBatch.Status.COMPLETE:
        return counts
    return f"{counts} {row.error}"


def jobs_by_status(row: JobBatch) -> dict[str, int]:
    counts = dict.fromkeys(STATUS_BY_CASE.values(), 0)
    rows = row.jobs.order_by().values_list("status").annotate(Count("id"))
    for status, count in rows:
        counts[STATUS_BY_CASE[status]] = count
    return counts


def jobs(
    row: JobBatch,
    *,
    statuses: Sequence[str] = (),
    cursor: str | None = None,
    limit: int,
) -> Wire:
    """A page of a batch's jobs in the order of their start. `cursor` is the last id that was seen.

    Raises UnknownCursorError.
    """
    rows = row.jobs.order_by("id")
    if statuses:
        status_by_word = {word: status for status, word in STATUS_BY_CASE.items()}
        rows = rows.filter(status__in=[status_by_word[word] for word in statuses])
    if cursor is not None:
        rows = rows.filter(id__gt=_key_of_job(row, cursor))
    columns = rows.values(
        "pk",
        "job_id",
        "case_id",
        "subject",
        "status",
        "recommendation",
        "error",
        "created_at",
        "updated_at",
        new_job_id=F("rerun__job_id"),
    )
    page = list(columns[: limit + 1])
    jobs_by_pk = {}
    for job in page[:limit]:
        jobs_by_pk[job["pk"]] = _job(job, row.agent)
    for job_pk, check_id, verdict in _verdicts(list(jobs_by_pk)):
        jobs_by_pk[job_pk]["checks"][check_id] = verdict
    page_jobs = list(jobs_by_pk.values())
    next_cursor = None
    if len(page) > limit:
        next_cursor = str(page_jobs[-1]["job_id"])
    return {"jobs": page_jobs, "count": len(page_jobs), "next_cursor": next_cursor}


def rejections(
    row: JobBatch,
    *,
    statuses: Sequence[str] = (),
    cursor: str | None = None,
    limit: int,
) -> Wire:
    """A page of the rows that could not be started. `cursor` is the line of the last row seen.

    Raises UnknownCursorError.
    """
    rows = row.rejected_rows.order_by("line")
    if cursor is not None:
        line = numbers.parse(cursor, digits=9)
        if line is None:
            raise UnknownCursorError
        rows = rows.filter(line__gt=line)
    page = list(rows.values("line", "reason", "detail")[: limit + 1])
    page_rows = [
        {
            "line": row["line"],
            "reason": opened(row["reason"]),
            "detail": opened(row["detail"]),
        }
        for row in page[:limit]
    ]
    next_cursor = None
    if len(page) > limit:
        next_cursor = str(page_rows[-1]["line"])
    return {
        "jobs": [],
        "rejected_rows": page_rows,
        "count": len(page_rows),
        "next_cursor": next_cursor,
    }


def _key_of_job(row: JobBatch, cursor: str) -> int:
    try:
        job_id = uuid.UUID(cursor)
    except ValueError:
        raise UnknownCursorError from None
    pk = row.jobs.filter(job_id=job_id).values_list("pk", flat=True).first()
    if pk is None:
        raise UnknownCursorError
    return pk


def _job(row: JsonObject, agent: Agent) -> Wire:
    wire = {
        "id": row["job_id"],
        "job_id": row["job_id"],
        "case_id": row["case_id"],
        "name": opened(row["subject"]),
        "agent_id": agent.key,
        "status": STATUS_BY_CASE[row["status"]],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "checks": {},
    }
    for name in ("recommendation", "error", "new_job_id"):
        if row[name]:
            wire[name] = row[name]
    return wire


def _verdicts(job_pks: list[int]) -> Iterator[tuple[int, str, str]]:
    """(job, check, verdict as in the export); "pending" while the check runs."""
    rows = (
        CheckRun.objects.filter(job__in=job_pks)
        .order_by("id")
        .values_list(
            "job_id",
            "check_id",
            "status",
            "verdict",
        )
    )
    for job_pk, check_id, status, verdict in rows:
        word = "pending"
        if status in {CheckRun.Status.COMPLETED, CheckRun.Status.FAILED}:
            word = exports.cell(status, verdict)
        yield job_pk, check_id, word
