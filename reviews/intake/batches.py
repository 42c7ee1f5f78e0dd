"""Batches: a file of cases given to the service, and what became of its rows, read tolerantly.

The service keeps a batch; the desk asks it. The cases themselves come to the desk by their
webhooks, as those of any job that was started elsewhere.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from reviews.access import roles
from reviews.audit import trail
from reviews.intake import batch_files
from reviews.models import Agent, Case, Job
from reviews.service import pauses
from reviews.service.client import JSON, job_id, job_status

ROWS = 50  # of one kind on a page
STATES = ("pending", "running", "completed", "failed", "retried")


@dataclass(frozen=True)
class Row:
    """One job of a batch; `case` is the desk's, None until its first webhook has come."""

    job: str
    reference: str
    name: str
    status: str
    state: Job.Status | None
    recommendation: str
    error: str
    checks: list[tuple[str, str]]
    case: Case | None


@dataclass(frozen=True)
class Progress:
    """How far a batch is, and one page of its rows."""

    id: str
    name: str
    status: str
    error: str
    read: int
    accepted: int
    rejected: int
    counts: list[tuple[str, int]]
    rows: list[Row] = field(default_factory=list)
    cursor: str = ""

    @property
    def ended(self) -> int:
        return sum(count for word, count in self.counts if word not in {"pending", "running"})

    @property
    def is_live(self) -> bool:
        under_way = any(count for word, count in self.counts if word in {"pending", "running"})
        return self.status.lower() in {"pending", "running", "in_progress"} or under_way


def start(agent: Agent, *, actor: User, content: bytes, file_name: str, batch_id: uuid.UUID) -> str:
    """Give the service a file of cases. `batch_id` makes it safe to repeat. Returns the id that
    the service gives the batch. Raises RefusedFileError, ServiceError, PermissionDenied."""
    roles.require_agent(actor, agent)
    batch_files.judge(content, kind=agent.kind)
    hook = settings.CALLBACK_URL + reverse("webhook", args=[agent.connection.slug])
    with pauses.asking(agent.connection) as service:
        said = service.enqueue_from_csv(
            content,
            agent_key=agent.agent_key,
            file_name=file_name,
            batch_id=str(batch_id),
            batch_name=file_name,
            webhook_url=hook,
            tool_webhook_url=hook,
        )
    named = job_id(said.get("batch_id") or said.get("id"))
    named = named if is_uuid(named) else str(batch_id)
    trail.record(None, "batch_started", {"batch": named, "agent": agent.name}, user=actor)
    return named


def is_uuid(text: str) -> bool:
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def listed(agent: Agent, *, actor: User) -> list[Progress]:
    """The agent's newest batches. Raises ServiceError, PermissionDenied."""
    roles.require_agent(actor, agent)
    with pauses.asking(agent.connection) as service:
        found = service.get_job_batches(agent_key=agent.agent_key, limit=str(ROWS))
    # Pages are named by the id, which the interface says is a UUID.
    return [batch for item in found if is_uuid((batch := _progress(item)).id)]


def progress(agent: Agent, batch_id: str, *, actor: User, cursor: str = "") -> Progress:
    """A batch with a page of its jobs. Raises ServiceError, PermissionDenied."""
    roles.require_agent(actor, agent)
    asked = {"limit": str(ROWS)} | ({"cursor": cursor} if cursor else {})
    with pauses.asking(agent.connection) as service:
        said = service.get_batch_jobs(batch_id, agent_key=agent.agent_key, **asked)
    jobs = [item for item in _list(said.get("jobs")) if isinstance(item, dict)]
    references = [_text(item.get("case_id")) for item in jobs]
    cases = Case.objects.filter(connection=agent.connection, reference__in=references)
    known = {case.reference: case for case in cases.only("pk", "reference")}
    return _progress(said, rows=[_row(item, known) for item in jobs])


def rejected(agent: Agent, batch_id: str, *, actor: User) -> list[tuple[int, str]]:
    """The first rows that could not be started: line and reason. Raises ServiceError,
    PermissionDenied."""
    roles.require_agent(actor, agent)
    with pauses.asking(agent.connection) as service:
        said = service.get_batch_jobs(
            batch_id, agent_key=agent.agent_key, status="rejected", limit="1000"
        )
    rows = (item for item in _list(said.get("rejected_rows")) if isinstance(item, dict))
    return [(_number(item.get("line")), _text(item.get("reason"))) for item in rows]


def export(agent: Agent, batch_id: str, *, actor: User) -> bytes:
    """The service's CSV of a batch. Raises ServiceError, PermissionDenied."""
    roles.require_agent(actor, agent)
    with pauses.asking(agent.connection) as service:
        return service.export_csv_batch(batch_id, agent_key=agent.agent_key)


def _progress(said: JSON, *, rows: list[Row] | None = None) -> Progress:
    counts = said.get("jobs_by_status")
    counts = counts if isinstance(counts, Mapping) else {}
    return Progress(
        id=job_id(said.get("batch_id") or said.get("id") or ""),
        name=_text(said.get("batch_name") or said.get("name")),
        status=_text(said.get("batch_status") or said.get("status")),
        error=_text(said.get("error")),
        read=_number(said.get("read_rows")),
        accepted=_number(said.get("accepted")),
        rejected=_number(said.get("rejected")),
        counts=[(word, _number(counts[word])) for word in STATES if counts.get(word)],
        rows=rows or [],
        cursor=_text(said.get("next_cursor")),
    )


def _row(item: JSON, known: Mapping[str, Case]) -> Row:
    checks = item.get("checks")
    pairs = checks.items() if isinstance(checks, dict) else ()
    reference = _text(item.get("case_id"))
    return Row(
        job=job_id(item.get("job_id") or item.get("id") or ""),
        reference=reference,
        name=_text(item.get("name")),
        status=_text(item.get("status")),
        state=job_status(item.get("status")),
        recommendation=_text(item.get("recommendation")),
        error=_text(item.get("error")),
        # A check that has nothing to say of the case would only be a name among many.
        checks=[(_text(name), _text(word)) for name, word in pairs if word],
        case=known.get(reference),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value[:500] if isinstance(value, str) else "" if value is None else str(value)[:500]


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
