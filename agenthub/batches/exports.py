"""A batch as CSV: one row for each case, written while it is read, chunk by chunk.

Chunks by key, no cursor: the same on SQLite and PostgreSQL, and memory stays flat at any length.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import orjson
from django.db.models import QuerySet
from django.db.models.fields.json import KT

from agenthub.models import AgentJob, CheckRun, JobBatch
from checks import registry
from checks.base import alerts_of
from compliance.security import csv_cells

FIRST_CHUNK = 200  # small, so that the first rows leave at once
CHUNK = 1000  # twice as many are no faster, and hold twice the memory
COLUMNS = (
    *("job_id", "case_id", "case_type", "name", "status", "recommendation"),
    *("created_at", "updated_at"),
)
# getJobsByCaseId's spelling of a job's status, as in every list of jobs.
STATUS: Mapping[str, str] = {
    **{status.value: status.lower() for status in AgentJob.Status},
    AgentJob.Status.COMPLETE.value: "completed",
}
# The cell of a check by its verdict; empty where it did not apply, or has not ended.
VERDICTS: Mapping[str | None, str] = {
    "pass": "passed",
    "fail": "failed",
    "review": "review",
    "inconclusive": "review",
}
_Job = tuple[int, Any, str, str, str, str, datetime, datetime]


def lines(batch: JobBatch) -> Iterator[bytes]:
    """The file in pieces, each some whole lines in UTF-8. A job that was run again is left out:
    its newer job is the row of the case."""
    kind = cast("registry.CaseKind", batch.agent.kind)
    checks = [check.id for check in registry.select(kind=kind)]
    yield _written([[*COLUMNS, *map(csv_cells.escape, checks), "alerts"]])
    jobs = batch.jobs.exclude(status=AgentJob.Status.RETRIED).order_by("id")
    size, last = FIRST_CHUNK, 0
    while chunk := _chunk(jobs.filter(id__gt=last), size):
        runs = _runs(batch, chunk[0][0], chunk[-1][0])
        yield _written(_row(job, kind, checks, runs.get(job[0], {})) for job in chunk)
        size, last = CHUNK, chunk[-1][0]


def _chunk(jobs: QuerySet[AgentJob], size: int) -> list[_Job]:
    columns = ("id", "job_id", "case_id", "subject", "status", "recommendation")
    found = jobs.values_list(*columns, "created_at", "updated_at")[:size]
    return cast("list[_Job]", list(found))


_Run = tuple[str, str | None, str | None]


def _runs(batch: JobBatch, first: int, last: int) -> dict[int, dict[str, _Run]]:
    """The status, verdict and alerts (JSON text) of the check runs of a range of jobs."""
    found = (
        CheckRun.objects.filter(job__batch=batch, job_id__gte=first, job_id__lte=last)
        .order_by("id")
        .values_list("job_id", "check_id", "status", KT("result__verdict"), KT("result__alerts"))
    )
    by_job: dict[int, dict[str, _Run]] = {}
    for job_pk, check_id, status, verdict, alerts in found:
        by_job.setdefault(job_pk, {})[check_id] = (status, verdict, alerts)
    return by_job


def _row(job: _Job, kind: str, checks: Sequence[str], runs: Mapping[str, _Run]) -> Sequence[str]:
    _, job_id, case_id, name, status, recommendation, created_at, updated_at = job
    alerts = [alert for *_, found in runs.values() for alert in _alerts(found)]
    return [
        str(job_id),
        csv_cells.escape(case_id),
        kind,
        csv_cells.escape(name),
        STATUS[status],
        csv_cells.escape(recommendation),
        _time(created_at),
        _time(updated_at),
        *[cell(*runs[check][:2]) if check in runs else "" for check in checks],
        csv_cells.escape("; ".join(alerts)),
    ]


def cell(status: str, verdict: str | None) -> str:
    """The word for a check run: passed, failed, review, error, or nothing."""
    return "error" if status == CheckRun.Status.FAILED else VERDICTS.get(verdict, "")


def _alerts(found: str | None) -> list[str]:
    return alerts_of({"alerts": orjson.loads(found)}) if found else []


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _written(rows: Any) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue().encode()
