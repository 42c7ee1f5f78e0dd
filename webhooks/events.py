"""What came in: kept first, understood later, applied once, in any order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import orjson
from django.contrib.auth.models import User
from django.db import connection as database
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from compliance.db import fast_sql
from compliance.db.states import move_all
from compliance.work import notify
from compliance.work.rows import backoff
from reviews.access import roles
from reviews.audit import trail
from reviews.intake import cases
from reviews.jobs import completion, endings, reopening, result_rows, schedule
from reviews.models import Case, CheckResult, Connection, Job
from reviews.service import pauses
from reviews.service.client import KeyRefusedError, ServiceError, job_id, read_json
from webhooks.models import Event
from webhooks.senders import Sender

QUEUE = "webhooks.tasks.apply_events"

_Payload = dict[str, Any]

# A job that its own service cannot find this many times is not going to appear.
UNKNOWN_TRIES = 5
NOT_REPLAYED = "Only a webhook that was not applied can be replayed."


def store(sender: Sender, body: bytes, *, headers: dict[str, str], secret_id: int) -> bool:
    """Keep a verified body once, in one statement. Returns False where it was kept before."""
    digest, written = hashlib.sha256(body).digest(), orjson.dumps(headers).decode()
    moment = database.ops.adapt_datetimefield_value(now())
    row = (sender.connection_id, digest, body, written, secret_id, moment, moment, moment)
    # Twice does no harm: each body is kept once.
    kept = bool(fast_sql.without_health_check(lambda: fast_sql.fetch_rows(_INSERT, row)))
    if kept:
        notify.after_commit(QUEUE)
    return kept


_INSERT = (
    "INSERT INTO webhooks_event (connection_id, digest, body, headers, secret_id, status,"
    " reason, received_at, updated_at, due_at, claims, faults)"
    " VALUES (%s, %s, %s, %s, %s, 'received', '', %s, %s, %s, 0, 0)"
    " ON CONFLICT (connection_id, digest) DO NOTHING RETURNING id"
)


def apply(event: Event) -> None:
    """Do what the event says. An event for a job that nobody here started adopts the job."""
    payload = _read(event)
    remote_id = _remote_id(payload)
    if not remote_id:
        ignore(event, "It is neither a job event nor a tool event.")
        return
    known = fast_sql.fetch_models(
        Job, only=_NEEDED, connection=event.connection_id, remote_id=remote_id
    )
    if not known and payload.get("sample") is True:
        ignore(event, "It is a sample: the service was asked to try this receiver.")
        return
    job = known[0] if known else _adopt(event, remote_id)
    if job is not None:
        _apply_to(job, {event: payload})


def apply_together(events: Sequence[Event]) -> int:
    """Apply the events of known jobs, those of one job in one transaction; returns how many.

    A job tells of itself several times within a moment: to lock the case, sum it up and write
    it anew for each would cost more than all else.
    """
    payloads = {event: _read(event) for event in events}
    told = [(event, (event.connection_id, _remote_id(said))) for event, said in payloads.items()]
    ids = {remote_id for _, (_, remote_id) in told if remote_id}
    connections = {event.connection_id for event in events}
    known = fast_sql.fetch_models(Job, only=_NEEDED, connection__in=connections, remote_id__in=ids)
    by_identity = {(job.connection_id, job.remote_id): job for job in known}
    # One of an unknown job asks the service, which may take long: it is done alone.
    own = list(takewhile(lambda pair: pair[1] in by_identity, told))
    of_job: dict[tuple[int, str], dict[Event, _Payload]] = {}
    for event, identity in own:
        of_job.setdefault(identity, {})[event] = payloads[event]
    for identity, group in of_job.items():
        _apply_to(by_identity[identity], group)
    if not own:
        apply(events[0])
    return len(own) or 1


# All of a job but what was sent, which may be long.
_NEEDED = tuple(field.name for field in Job._meta.concrete_fields if field.name != "sent")


def ignore(event: Event, reason: str) -> None:
    """Keep the event, and say why nothing came of it."""
    event.move(Event.Status.IGNORED, reason=reason, due_at=None, leased_until=None)


@transaction.atomic
def give_up(event: Event, reason: str) -> None:
    """Keep an event that could not be applied, and put it before a person: the service signed it,
    and it may say what counts."""
    ignore(event, reason)
    try:
        payload = _read(event)
        remote_id = _remote_id(payload)
    except (orjson.JSONDecodeError, AttributeError):
        return
    job = Job.objects.filter(connection=event.connection_id, remote_id=remote_id).first()
    if job is None:
        return
    case = Case.objects.select_for_update().get(pk=job.case_id)
    said = f"A webhook of this case could not be read: number {event.pk}. It was kept."
    reopening.raise_alarm(case, job, [said])


def replay(event: Event, *, actor: User) -> bool:
    """Have one that was not applied taken up anew. Returns False where it is not at rest, or was
    applied: what an old one says must not take the place of what a newer one said."""
    roles.require(actor, roles.REPLAY)
    with transaction.atomic():
        fresh = {"reason": "", "due_at": now(), "leased_until": None, "claims": 0, "faults": 0}
        if not event.move(Event.Status.RECEIVED, **fresh):
            return False
        said = {"webhook": event.pk, "sha256": bytes(event.digest).hex()}
        trail.record(event.job.case if event.job else None, "webhook_replayed", said, user=actor)
        notify.after_commit(QUEUE)
    return True


def narrowed(
    rows: QuerySet[Event], *, connection: str = "", status: str = "", case: str = ""
) -> QuerySet[Event]:
    """Those of a connection (its slug), of a status, or of a case (its reference)."""
    given = {"connection__slug": connection, "status": status, "job__case__reference": case}
    return rows.filter(**{name: value for name, value in given.items() if value})


def _read(event: Event) -> _Payload:
    payload: _Payload = read_json(bytes(event.body))
    return payload


def _remote_id(payload: _Payload) -> str:
    """The job that the event is about, or "" where it is of no kind that we know."""
    if payload.get("tool_id") is not None:
        return job_id(payload.get("job_id") or "")
    return job_id(payload.get("id") or "") if "status" in payload else ""


def _adopt(event: Event, remote_id: str) -> Job | None:
    connection = Connection.objects.select_related("pause").get(pk=event.connection_id)
    if connection.standing_pause:
        event.complete(due_at=now() + pauses.LONGEST, reason=pauses.WAITS)
        return None
    try:
        return cases.adopt(connection, remote_id)
    except KeyRefusedError as exc:
        pauses.pause(connection, exc)
        event.complete(due_at=now() + pauses.LONGEST, reason=pauses.WAITS)
        return None
    except cases.UnfitReferenceError as exc:
        ignore(event, str(exc))
        return None
    except ServiceError as exc:
        if exc.permanent and event.claims >= UNKNOWN_TRIES:
            ignore(event, f"Nobody here started this job, and the service says: {exc}")
        else:
            event.complete(due_at=backoff(event.claims), reason=str(exc))
        return None


@transaction.atomic
def _apply_to(job: Job, told: Mapping[Event, _Payload]) -> None:
    """Apply what the events of a job say."""
    # The others were applied before, by a worker that lost its lease.
    fresh = move_all(
        list(told), Event.Status.APPLIED, job=job, reason="", due_at=None, leased_until=None
    )
    rows: list[CheckResult] = []
    ends: list[endings.Ending] = []
    is_odd = False
    for payload in (told[event] for event in fresh):
        if payload.get("tool_id") is not None:
            results = payload.get("results")
            rows.append(
                result_rows.tool_result(
                    job, str(payload["tool_id"]), {} if results is None else results
                )
            )
            continue
        # An older form of the job event carries the results; they count once getJobById's come.
        rows += result_rows.check_results(job, payload)
        if end := endings.read_ending(payload, has_results=False):
            ends.append(end)
        is_odd = is_odd or end is None
    if rows or ends:
        completion.apply_webhooks(job, rows, ends=ends)
    if is_odd and not ends:
        schedule.poll_soon(job)
