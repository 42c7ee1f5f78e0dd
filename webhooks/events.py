"""Events: a webhook is stored first and applied later. It is applied once, whatever the order of
arrival.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence

import orjson
from django.contrib.auth.models import User
from django.db import connection as database
from django.db import transaction
from django.db.models import BinaryField, QuerySet, Value, When
from django.db.models import Case as CaseOf
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.db import clock, fast_sql
from compliance.db.states import move_all
from compliance.security import data_keys
from compliance.security.personal_fields import Sealed, sealed
from compliance.tracing import spans
from compliance.tracing.spans import Kind
from compliance.work import notify, tallies
from compliance.work.rows import backoff
from reviews.access import roles
from reviews.audit import trail
from reviews.intake import cases, job_import
from reviews.jobs import (
    case_changes,
    completion,
    endings,
    reopening,
    result_rows,
    schedule,
)
from reviews.models import Case, CheckResult, Connection, Job
from reviews.service import pauses
from reviews.service.client import KeyRefusedError, ServiceError, job_id, read_json
from webhooks.models import Event
from webhooks.senders import Sender

QUEUE = "webhooks.tasks.apply_events"

_Payload = dict[str, object]

# After this many attempts the desk stops asking the service for a job that it does not know. The
# queue ends an event after more failures than that.
MAX_LOOKUPS = 5
NOT_REPLAYED = _("Only a webhook that was not applied can be replayed.")


def store(
    sender: Sender, body: bytes, *, headers: dict[str, str], secret_id: int
) -> bool:
    """Store a verified body with one SQL statement. Returns False if the same body was stored
    before.
    """
    digest = digest_of(body)
    headers_json = orjson.dumps(headers).decode()
    moment = database.ops.adapt_datetimefield_value(now())
    values = (
        *(
            sender.connection_id,
            digest,
            _sealed(body),
            len(body),
            headers_json,
            secret_id,
        ),
        *(moment, moment, moment),
    )
    # Running the statement twice is safe, because the constraint stores each body once.
    rows = fast_sql.without_health_check(lambda: fast_sql.fetch_rows(_INSERT, values))
    is_new = bool(rows)
    if is_new:
        notify.after_commit(QUEUE)
    return is_new


def digest_of(body: bytes) -> bytes:
    """The identity of a body: webhooks have no id, so their bytes are their only identity."""
    return keyed(hashlib.sha256(body).digest())


def keyed(plain: bytes) -> bytes:
    """The digest to store. It stays after an erasure, so nobody may test a guess by it.

    Of the plain hash, so that what an earlier version stored could be keyed.
    """
    return bytes.fromhex(data_keys.keyed_hash(plain.hex(), b"webhooks"))


def _sealed(body: bytes) -> bytes:
    """The body, encrypted with the key of the installation.

    Which case it is about, and so which case's key it needs, is known only when it is applied.
    """
    return data_keys.seal(data_keys.INSTALLATION, body, "webhooks.Event.body")


_INSERT = (
    "INSERT INTO webhooks_event (connection_id, digest, body, size, headers, secret_id, status,"
    " reason, received_at, updated_at, due_at, claim_count, failures)"
    " VALUES (%s, %s, %s, %s, %s, %s, 'received', '', %s, %s, %s, 0, 0)"
    " ON CONFLICT (connection_id, digest) DO NOTHING RETURNING id"
)


def apply(event: Event) -> None:
    """Apply one event to its job. If the desk did not start the job, import it with its case."""
    payload = _read(event)
    remote_id = _remote_id(payload)
    if not remote_id:
        ignore(event, "It is neither a job event nor a tool event.")
        return
    jobs = Job.objects.defer("sent")
    job = jobs.filter(connection=event.connection_id, remote_id=remote_id).first()
    if job is None and payload.get("sample") is True:
        ignore(event, "It is a sample: the service was asked to try this receiver.")
        return
    if job is None:
        parent = _parent_span(event)
        with spans.span("import job", kind=Kind.CONSUMER, parent=parent):
            job = _import_job(event, remote_id)
    if job is not None:
        _apply_to(job, {event: payload})


def apply_together(events: Sequence[Event]) -> int:
    """Apply the events of known jobs, with one transaction per job.

    Returns how many events, counted from the first, were applied. A job sends several webhooks
    within a moment. Locking its case and computing its state for each of them would be the largest
    cost.
    """
    payloads = {event: _read(event) for event in events}
    identities = {event: _identity(event, payloads[event]) for event in events}
    jobs = _jobs_by_identity(set(identities.values()))
    events_by_job: dict[_Identity, dict[Event, _Payload]] = {}
    count = 0
    for event in events:
        identity = identities[event]
        # An unknown job must be asked for at its service, which may take long. So apply the events
        # before it now; the next call handles it alone.
        if identity not in jobs:
            break
        events_by_job.setdefault(identity, {})[event] = payloads[event]
        count += 1
    for identity, group in events_by_job.items():
        _apply_to(jobs[identity], group)
    if count == 0:
        apply(events[0])
        return 1
    return count


# The connection's id, and the id of the job at its service.
_Identity = tuple[int, str]


def _identity(event: Event, payload: _Payload) -> _Identity:
    return event.connection_id, _remote_id(payload)


def _jobs_by_identity(identities: set[_Identity]) -> dict[_Identity, Job]:
    connections = {connection for connection, _ in identities}
    remote_ids = {remote_id for _, remote_id in identities if remote_id}
    # `sent` is the request that the desk sent to the service. It may be long and is not needed
    # here.
    jobs = Job.objects.defer("sent")
    jobs = jobs.filter(connection__in=connections, remote_id__in=remote_ids)
    return {(job.connection_id, job.remote_id): job for job in jobs}


def ignore(event: Event, reason: str) -> None:
    """End an event without applying it, and store the reason."""
    end = {"reason": reason, "due_at": None, "leased_until": None}
    if event.move(Event.Status.IGNORED, **end):
        tallies.add(tallies.Kind.WEBHOOK, "", "ignored")


@transaction.atomic
def report_unreadable(event: Event, reason: str) -> None:
    """End an event that could not be applied, and raise an alarm on its case.

    The service signed it, so it may contain a result that matters. A user has to look at it.
    """
    ignore(event, reason)
    try:
        payload = _read(event)
        remote_id = _remote_id(payload)
    except (orjson.JSONDecodeError, AttributeError, data_keys.DataKeyError):
        return
    job = Job.objects.filter(
        connection=event.connection_id, remote_id=remote_id
    ).first()
    if job is None:
        return
    case = Case.objects.select_for_update().get(pk=job.case_id)
    message = (
        f"A webhook of this case could not be read: number {event.pk}. It was kept."
    )
    reopening.raise_alarm(case, job, [message])


def _forget(event: Event, reason: str) -> None:
    """End an event of an erased case and delete its content, which would restore erased data."""
    ignore(event, reason)
    Event.objects.filter(pk=event.pk).update(body=b"", headers={})


def replay(event: Event, *, actor: User) -> bool:
    """Apply an event again that was not applied. Returns False if it still waits or was applied.

    An applied event is never applied again, because its old result would replace a newer one.
    Raises PermissionDenied.
    """
    roles.require(actor, roles.REPLAY)
    start = {
        "reason": "",
        "due_at": clock.now(),
        "leased_until": None,
        "claim_count": 0,
        "failures": 0,
    }
    with transaction.atomic():
        if not event.move(Event.Status.RECEIVED, **start):
            return False
        case = event.job.case if event.job else None
        details = {"webhook": event.pk, "digest": bytes(event.digest).hex()}
        trail.record(case, "webhook_replayed", details, user=actor)
        notify.after_commit(QUEUE)
    return True


def narrowed(
    rows: QuerySet[Event], *, connection: str = "", status: str = "", case: str = ""
) -> QuerySet[Event]:
    """Filter by connection (slug), by status, and by case (reference). "" means no filter."""
    if connection:
        rows = rows.filter(connection__slug=connection)
    if status:
        rows = rows.filter(status=status)
    if case:
        rows = rows.filter(job__case__reference=case)
    return rows


def _read(event: Event) -> _Payload:
    payload: _Payload = read_json(bytes(event.body))
    return payload


def _remote_id(payload: _Payload) -> str:
    """The id of the job that the event is about, or "" if it is not a known kind of event."""
    if payload.get("tool_id") is not None:
        return job_id(payload.get("job_id") or "")
    if "status" in payload:
        return job_id(payload.get("id") or "")
    return ""


def names_job(event: Event, remote_ids: Collection[str]) -> bool:
    """Whether the event is about one of these jobs, by their ids at the service."""
    try:
        return _remote_id(_read(event)) in remote_ids
    except (orjson.JSONDecodeError, AttributeError, data_keys.DataKeyError):
        # It is about no job that anybody could find.
        return False


def _import_job(event: Event, remote_id: str) -> Job | None:
    """Import a job that another system started, with its case.

    Returns None if the event was ended here, or must wait.
    """
    connection = Connection.objects.select_related("pause").get(pk=event.connection_id)
    # While the service refuses the API key, asking it is useless. The end of the pause makes the
    # event due.
    if connection.standing_pause:
        event.complete(due_at=clock.now() + pauses.LONGEST, reason=pauses.WAITS)
        return None
    try:
        return job_import.import_job(connection, remote_id)
    except KeyRefusedError as exc:
        pauses.pause(connection, exc)
        event.complete(due_at=clock.now() + pauses.LONGEST, reason=pauses.WAITS)
        return None
    except cases.UnfitReferenceError as exc:
        ignore(event, str(exc))
        return None
    except job_import.ErasedCaseError as exc:
        _forget(event, str(exc))
        return None
    except ServiceError as exc:
        if not exc.permanent:
            event.complete(due_at=backoff(event.claim_count), reason=str(exc))
            return None
        # Not the number of claims: a batch claims events, and gives them back before they are
        # looked up.
        lookups = event.failures + 1
        # A service may send the webhook before its own API knows the job, so try again a few times.
        if lookups >= MAX_LOOKUPS:
            ignore(event, f"Nobody here started this job, and the service says: {exc}")
        else:
            event.complete(due_at=backoff(lookups), failures=lookups, reason=str(exc))
        return None


def _apply_to(job: Job, payloads: Mapping[Event, _Payload]) -> None:
    """Apply the events of one job. `payloads` maps each event to its parsed body."""
    # A span has one parent: the webhook that arrived first.
    first = next(iter(payloads))
    with spans.span(
        "apply webhooks",
        kind=Kind.CONSUMER,
        parent=_parent_span(first) or job.traceparent,
        attributes={"job": str(job.pk), "webhooks": len(payloads)},
    ):
        _apply_within_transaction(job, payloads)


def _parent_span(event: Event) -> str:
    """The traceparent header of the webhook; "" if the sender did not send one."""
    return spans.fitting(event.headers.get(spans.HEADER, ""))


@transaction.atomic
def _apply_within_transaction(job: Job, payloads: Mapping[Event, _Payload]) -> None:
    locked = case_changes.lock(job)
    if locked.case.erased_at:
        for event in payloads:
            _forget(event, "Its case was erased. Nothing was kept.")
        return
    end: dict[str, object] = {"reason": "", "due_at": None, "leased_until": None}
    bodies = _bodies_with_key_of(job, payloads)
    cases = [When(pk=event.pk, then=Value(one.token)) for event, one in bodies.items()]
    end["body"] = CaseOf(*cases, output_field=BinaryField())
    # An event that does not move was applied already, by a worker that had lost its lease.
    moved = move_all(list(payloads), Event.Status.APPLIED, job=job, **end)
    tallies.add(tallies.Kind.WEBHOOK, "", "applied", count=len(moved))
    results: list[CheckResult] = []
    ends: list[endings.Ending] = []
    has_unknown_status = False
    for event in moved:
        event.body = bodies[event]
        payload = payloads[event]
        if payload.get("tool_id") is not None:
            results.append(_tool_result(job, payload))
            continue
        # The older form of a job event contains the results. They are provisional until the desk
        # has fetched the job from the service.
        results += result_rows.check_results(job, payload)
        ending = endings.read_ending(payload, has_results=False)
        if ending:
            ends.append(ending)
        else:
            has_unknown_status = True
    if results or ends:
        completion.apply_webhooks(job, results, ends=ends, locked=locked)
    # The end of the job is unclear, so ask the service for the job soon.
    if has_unknown_status and not ends:
        schedule.poll_soon(job)


def _bodies_with_key_of(job: Job, events: Iterable[Event]) -> dict[Event, Sealed]:
    """The bodies, encrypted with the key of the job's case, so that they are erased with it."""
    bodies = {}
    for event in events:
        body = event.body
        event.job = job
        bodies[event] = sealed(event, "body", body)
    return bodies


def _tool_result(job: Job, payload: _Payload) -> CheckResult:
    results = payload.get("results")
    if results is None:
        results = {}
    return result_rows.tool_result(job, str(payload["tool_id"]), results)
