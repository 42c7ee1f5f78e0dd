"""Exports a batch as CSV: one row per case, sent in chunks while it is read.

Chunks are selected by key instead of a database cursor: this works alike on SQLite and PostgreSQL,
and needs constant memory.
"""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from django.db.models import QuerySet

from agenthub.models import AgentJob, CheckRun, JobBatch
from agenthub.wire import JsonObject
from checks import registry
from checks.base import alerts_of
from compliance.security import csv_cells
from compliance.security.personal_fields import opened

FIRST_CHUNK = 200  # jobs; small, so that the first rows are sent at once
CHUNK = 1000  # jobs; twice as many are no faster and need twice the memory
COLUMNS = (
    *("job_id", "case_id", "case_type", "name", "status", "recommendation"),
    *("created_at", "updated_at"),
)
# The status as getJobsByCaseId spells it, like in every list of jobs.
STATUS: Mapping[str, str] = {
    **{status.value: status.lower() for status in AgentJob.Status},
    AgentJob.Status.COMPLETE.value: "completed",
}
# Verdict → the cell of a check. Missing verdicts (not applicable, not ended) give an empty cell.
VERDICTS: Mapping[str | None, str] = {
    "pass": "passed",
    "fail": "failed",
    "review": "review",
    "inconclusive": "review",
}


class _Job(NamedTuple):
    pk: int
    job_id: uuid.UUID
    case_id: str
    subject: str
    status: str
    recommendation: str
    created_at: datetime
    updated_at: datetime


def lines(batch: JobBatch) -> Iterator[bytes]:
    """The file in pieces of whole lines in UTF-8.

    A job that was run again is omitted: its newer job is the row of the case."""
    kind = cast("registry.CaseKind", batch.agent.kind)
    check_ids = []
    for check in registry.select(kind=kind):
        check_ids.append(check.id)
    headings = map(csv_cells.escape, check_ids)
    yield _csv([[*COLUMNS, *headings, "alerts"]])
    jobs = batch.jobs.exclude(status=AgentJob.Status.RETRIED).order_by("id")
    # Start with a small chunk, so that the download begins at once.
    size = FIRST_CHUNK
    last = 0
    while chunk := _chunk(jobs.filter(id__gt=last), size):
        first, last = chunk[0].pk, chunk[-1].pk
        runs = _runs(batch, first, last)
        rows = []
        for job in chunk:
            row = _row(job, kind, check_ids, runs.get(job.pk, {}))
            rows.append(row)
        yield _csv(rows)
        size = CHUNK


def _chunk(jobs: QuerySet[AgentJob], size: int) -> list[_Job]:
    rows = jobs.values_list(
        "id",
        "job_id",
        "case_id",
        "subject",
        "status",
        "recommendation",
        "created_at",
        "updated_at",
    )
    chunk = []
    for row in rows[:size]:
        job = _Job(*row)
        chunk.append(job._replace(subject=opened(job.subject)))
    return chunk


class _Run(NamedTuple):
    """The columns of a check run that the export needs."""

    status: str
    verdict: str
    result: JsonObject


def _runs(batch: JobBatch, first: int, last: int) -> dict[int, dict[str, _Run]]:
    """The check runs of the batch's jobs from `first` to `last`: job → check → run."""
    rows = (
        CheckRun.objects.filter(
            job__batch=batch,
            job_id__gte=first,
            job_id__lte=last,
        )
        .order_by("id")
        .values_list(
            "job_id",
            "check_id",
            "status",
            "verdict",
            "result",
        )
    )
    runs_by_job: dict[int, dict[str, _Run]] = {}
    for job_pk, check_id, status, verdict, result in rows:
        runs = runs_by_job.setdefault(job_pk, {})
        runs[check_id] = _Run(status, verdict, opened(result))
    return runs_by_job


def _row(
    job: _Job, kind: str, check_ids: Sequence[str], runs: Mapping[str, _Run]
) -> list[str]:
    cells = [
        str(job.job_id),
        csv_cells.escape(job.case_id),
        kind,
        csv_cells.escape(job.subject),
        STATUS[job.status],
        csv_cells.escape(job.recommendation),
        _time(job.created_at),
        _time(job.updated_at),
    ]
    for check_id in check_ids:
        run = runs.get(check_id)
        cells.append(cell(run.status, run.verdict) if run else "")
    alerts: list[str] = []
    for run in runs.values():
        if run.result.get("alerts"):
            alerts += alerts_of(run.result)
    cells.append(csv_cells.escape("; ".join(alerts)))
    return cells


def cell(status: str, verdict: str | None) -> str:
    """The cell for a check run: passed, failed, review, error, or empty."""
    if status == CheckRun.Status.FAILED:
        return "error"
    return VERDICTS.get(verdict, "")


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue().encode()
