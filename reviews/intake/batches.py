"""Batches: a file of many cases that is sent to the service, and the progress of its rows.

The service stores a batch, and the desk asks for it. Its answers are read tolerantly. The cases
reach the desk by webhooks, like those of any job that another system started.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext

from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.audit import trail
from reviews.intake import batch_files
from reviews.models import Agent, Case, Job
from reviews.service import pauses
from reviews.service.client import job_id, job_status
from reviews.wire import JsonObject

ROWS = 50  # rows of one page
MOST_REJECTED = 1000
LONGEST_TEXT = 500
UNDER_WAY = ("pending", "running")
RETRIED = "retried"
STATES = (*UNDER_WAY, "completed", "failed", RETRIED)


@dataclass(frozen=True)
class Row:
    """One job of a batch. `case` is the desk's case; None until its first webhook has arrived."""

    job: str
    reference: str
    name: str
    status: str
    state: Job.Status | None
    recommendation: str
    error: str
    checks: list[tuple[str, str]]
    case: Case | None

    @property
    def status_words(self) -> str:
        return _in_words(self.status)


@dataclass(frozen=True)
class Progress:
    """The progress of a batch, and one page of its rows."""

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
    def status_words(self) -> str:
        return _in_words(self.status)

    @property
    def counts_in_words(self) -> list[tuple[str, int]]:
        return [(in_sentence(_in_words(word)), count) for word, count in self.counts]

    @property
    def ended(self) -> int:
        total = 0
        for word, count in self.counts:
            if word not in UNDER_WAY:
                total += count
        return total

    @property
    def is_live(self) -> bool:
        if self.status.lower() in (*UNDER_WAY, "in_progress"):
            return True
        return any(count for word, count in self.counts if word in UNDER_WAY)


def start(
    agent: Agent, *, actor: User, content: bytes, file_name: str, batch_id: uuid.UUID
) -> str:
    """Send a file of cases to the service. With the same `batch_id` it is safe to repeat.

    Returns the id that the service gives the batch. Raises RefusedFileError, ServiceError and
    PermissionDenied.
    """
    roles.require_agent(actor, agent)
    batch_files.check(content, kind=agent.kind)
    webhook_url = settings.CALLBACK_URL + reverse(
        "webhook", args=[agent.connection.slug]
    )
    with pauses.asking(agent.connection) as service:
        answer = service.enqueue_from_csv(
            content,
            agent_key=agent.agent_key,
            file_name=file_name,
            batch_id=str(batch_id),
            batch_name=file_name,
            webhook_url=webhook_url,
            tool_webhook_url=webhook_url,
        )
    service_id = job_id(answer.get("batch_id") or answer.get("id"))
    # An id is used in the address of a page, so only a UUID is accepted from the service.
    if not is_uuid(service_id):
        service_id = str(batch_id)
    data = {"batch": service_id, "agent": agent.name}
    trail.record(None, "batch_started", data, user=actor)
    return service_id


def is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def newest(agent: Agent, *, actor: User) -> list[Progress]:
    """The newest batches of the agent. Raises ServiceError and PermissionDenied."""
    roles.require_agent(actor, agent)
    with pauses.asking(agent.connection) as service:
        items = service.get_job_batches(agent_key=agent.agent_key, limit=str(ROWS))
    batches = []
    for item in items:
        batch = _progress(item, [])
        # The address of the page contains the id. The interface promises a UUID; other ids are
        # skipped.
        if is_uuid(batch.id):
            batches.append(batch)
    return batches


def progress(agent: Agent, batch_id: str, *, actor: User, cursor: str = "") -> Progress:
    """A batch with one page of its jobs. Raises ServiceError and PermissionDenied."""
    roles.require_agent(actor, agent)
    page = {"limit": str(ROWS)}
    if cursor:
        page["cursor"] = cursor
    with pauses.asking(agent.connection) as service:
        answer = service.get_batch_jobs(batch_id, agent_key=agent.agent_key, **page)
    items = _objects(answer.get("jobs"))
    references = []
    for item in items:
        references.append(_text(item.get("case_id")))
    cases = Case.objects.filter(
        connection=agent.connection,
        reference__in=references,
    )
    case_by_reference = {}
    for case in cases.only("pk", "reference"):
        case_by_reference[case.reference] = case
    rows = []
    for item in items:
        rows.append(_row(item, case_by_reference))
    return _progress(answer, rows)


def rejected(agent: Agent, batch_id: str, *, actor: User) -> list[tuple[int, str]]:
    """The first rows that the service could not start: pairs of line and reason.

    Raises ServiceError and PermissionDenied.
    """
    roles.require_agent(actor, agent)
    with pauses.asking(agent.connection) as service:
        answer = service.get_batch_jobs(
            batch_id,
            agent_key=agent.agent_key,
            status="rejected",
            limit=str(MOST_REJECTED),
        )
    rows = []
    for item in _objects(answer.get("rejected_rows")):
        line = _number(item.get("line"))
        reason = _text(item.get("reason"))
        rows.append((line, reason))
    return rows


def export(agent: Agent, batch_id: str, *, actor: User) -> bytes:
    """The service's CSV export of a batch. The trail records who took it.

    Raises ServiceError and PermissionDenied.
    """
    roles.require_agent(actor, agent)
    roles.require(actor, roles.EXPORT)
    with pauses.asking(agent.connection) as service:
        content = service.export_csv_batch(batch_id, agent_key=agent.agent_key)
    trail.record(None, "batch_exported", {"batch": batch_id}, user=actor)
    return content


def _progress(item: JsonObject, rows: list[Row]) -> Progress:
    # In a list the service uses short names of members; for a single batch, long ones.
    key = item.get("batch_id") or item.get("id") or ""
    name = item.get("batch_name") or item.get("name")
    status = item.get("batch_status") or item.get("status")
    return Progress(
        id=job_id(key),
        name=_text(name),
        status=_text(status),
        error=_text(item.get("error")),
        read=_number(item.get("read_rows")),
        accepted=_number(item.get("accepted")),
        rejected=_number(item.get("rejected")),
        counts=_counts(item.get("jobs_by_status")),
        rows=rows,
        cursor=_text(item.get("next_cursor")),
    )


def _in_words(status: str) -> str:
    """A status for a reader; one that the desk does not know stays as the service wrote it."""
    status_word = job_status(status)
    if status_word:
        return str(status_word.label)
    return gettext("Run again") if status == RETRIED else status


def _counts(value: object) -> list[tuple[str, int]]:
    """The number of jobs by state, in the order of STATES; states without jobs are left out."""
    counts = []
    if isinstance(value, Mapping):
        for state in STATES:
            if value.get(state):
                counts.append((state, _number(value[state])))
    return counts


def _row(item: JsonObject, cases: Mapping[str, Case]) -> Row:
    reference = _text(item.get("case_id"))
    key = item.get("job_id") or item.get("id") or ""
    return Row(
        job=job_id(key),
        reference=reference,
        name=_text(item.get("name")),
        status=_text(item.get("status")),
        state=job_status(item.get("status")),
        recommendation=_text(item.get("recommendation")),
        error=_text(item.get("error")),
        checks=_checks(item.get("checks")),
        case=cases.get(reference),
    )


def _checks(value: object) -> list[tuple[str, str]]:
    """Pairs of check and result. Checks without a result are left out."""
    checks = []
    if isinstance(value, dict):
        for name, result in value.items():
            if result:
                checks.append((_text(name), _text(result)))
    return checks


def _objects(value: object) -> list[JsonObject]:
    if not isinstance(value, list):
        return []
    objects: list[JsonObject] = []
    for item in value:
        if isinstance(item, dict):
            objects.append(item)
    return objects


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value)[:LONGEST_TEXT]


def _number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return 0
