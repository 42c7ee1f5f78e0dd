"""What came in: kept first, understood later, applied once, in any order."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import orjson
from django.db import connection as database
from django.db import transaction
from django.utils.timezone import now

from compliance import bell, work
from reviews import cases, jobs
from reviews.client import ServiceError, job_id, job_status
from reviews.models import CheckResult, Connection, Job
from webhooks.models import Event
from webhooks.senders import Sender

LANE = "webhooks.events"

# A job that its own service cannot find this many times is not going to appear.
UNKNOWN_TRIES = 5

# PostgreSQL's JSON cannot hold the escape of a NUL character. An even number of backslashes
# before it means that the last one is the escape's own.
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def store(sender: Sender, body: bytes, *, headers: dict[str, str], secret_id: int) -> bool:
    """Keep a verified body once, in one statement. Returns False where it was kept before."""
    moment = database.ops.adapt_datetimefield_value(now())
    with database.cursor() as cursor:
        cursor.execute(
            "INSERT INTO webhooks_event (connection_id, digest, body, headers, secret_id, status,"
            " reason, received_at, updated_at, due_at, claims)"
            " VALUES (%s, %s, %s, %s, %s, 'received', '', %s, %s, %s, 0)"
            " ON CONFLICT (connection_id, digest) DO NOTHING RETURNING id",
            [
                sender.connection_id,
                hashlib.sha256(body).digest(),
                body,
                orjson.dumps(headers).decode(),
                secret_id,
                *(moment, moment, moment),
            ],
        )
        kept = cursor.fetchone() is not None
    if kept:
        bell.ring(LANE)
    return kept


def apply(event: Event) -> None:
    """Do what the event says. An event for a job that nobody here started adopts the job."""
    payload = orjson.loads(_NUL.sub(rb"\1", bytes(event.body)))
    remote_id = _remote_id(payload)
    if not remote_id:
        ignore(event, "It is neither a job event nor a tool event.")
        return
    job = Job.objects.filter(connection=event.connection_id, remote_id=remote_id).first()
    if job is None:
        job = _adopt(event, remote_id)
    if job is None:
        return
    with transaction.atomic():
        moved = event.move(Event.Status.APPLIED, job=job, reason="", due_at=None, leased_until=None)
        if moved:  # False: applied before, by a worker that lost its lease
            _apply_to(job, payload)


def ignore(event: Event, reason: str) -> None:
    """Keep the event, and say why nothing came of it."""
    event.move(Event.Status.IGNORED, reason=reason, due_at=None, leased_until=None)


def _remote_id(payload: dict[str, Any]) -> str:
    """The job that the event is about, or "" where it is of no kind that we know."""
    if payload.get("tool_id") is not None:
        return job_id(payload.get("job_id") or "")
    return job_id(payload.get("id") or "") if "status" in payload else ""


def _adopt(event: Event, remote_id: str) -> Job | None:
    try:
        return cases.adopt(Connection.objects.get(pk=event.connection_id), remote_id)
    except ServiceError as exc:
        if exc.permanent and event.claims >= UNKNOWN_TRIES:
            ignore(event, f"Nobody here started this job, and the service says: {exc}")
        else:
            event.settle(due_at=work.backoff(event.claims), reason=str(exc))
        return None


def _apply_to(job: Job, payload: dict[str, Any]) -> None:
    if payload.get("tool_id") is not None:
        _record_tool(job, payload)
        return
    # An older form of the job event carries the results; they stand until getJobById's come.
    jobs.record_check_results(job, payload)
    status = job_status(payload.get("status"))
    if status == Job.Status.COMPLETE:
        said = payload.get("recommendation")
        jobs.complete(job, recommendation=said if isinstance(said, str) else "")
    elif status == Job.Status.FAILED:
        jobs.fail(job, error=jobs.failure(payload))
    else:
        jobs.ask_soon(job)


def _record_tool(job: Job, payload: dict[str, Any]) -> None:
    results = payload.get("results")
    passed = results.get("passed") if isinstance(results, dict) else None
    jobs.record_result(
        job,
        source=CheckResult.Source.TOOL,
        check_id=str(payload["tool_id"]),
        body={} if results is None else results,
        passed=passed if isinstance(passed, bool) else None,
    )
