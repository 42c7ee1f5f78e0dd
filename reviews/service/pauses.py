"""Pauses of a service that rejects our API key.

The jobs of the connection wait, and a probe tries the key again from time to time. A pause is
one row per connection.

During a pause no job of the connection is claimed (`NOT_PAUSED`): no attempt is counted, no job
fails, and all continue when the pause ends.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from compliance.db import clock
from compliance.work import notify
from reviews.audit import trail
from reviews.models import Connection, Job, Pause
from reviews.service import received_webhooks
from reviews.service.client import KeyRefusedError, Service, ServiceError

log = logging.getLogger(__name__)

QUEUE = "reviews.tasks.probe_paused_connections"
JOBS_QUEUE = "reviews.tasks.advance_jobs"

# Seconds until a rejected key is tried again; the last value repeats. A key that somebody has
# replaced works within a minute. A revoked key waits for a person, and a service may count
# rejected calls against the caller.
SCHEDULE = (15, 30, 60, 120, 300, 600, 900)
LONGEST = timedelta(seconds=SCHEDULE[-1])

WAITS = "The service refuses the key."

# An SQL condition for the queue of jobs: the service of the job is not paused.
NOT_PAUSED = (
    f"connection_id NOT IN (SELECT pause.connection_id FROM {Pause._meta.db_table} pause"  # noqa: S608
    f" WHERE pause.status = '{Pause.Status.PAUSED.value}')"
)


@transaction.atomic
def pause(connection: Connection, error: KeyRefusedError) -> bool:
    """Pause the connection. `connection` has the key and the address of the rejected call.

    Returns False if the connection has another key or address by now: the next call may then
    succeed.
    """
    current = Connection.objects.get(pk=connection.pk)
    if (current.api_key, current.base_url) != (connection.api_key, connection.base_url):
        return False
    row, _ = Pause.objects.get_or_create(
        connection=current, defaults={"status": Pause.Status.ENDED, "due_at": None}
    )
    reason = _without_key(str(error), current)
    is_new = row.move(
        Pause.Status.PAUSED,
        reason=reason,
        since=now(),
        probes=0,
        due_at=_next_probe(0),
        leased_until=None,
    )
    # If it was paused before, `move` returns False, and the trail has the pause already.
    if is_new:
        log.warning("The service of %s refuses the key: its jobs wait.", current.slug)
        trail.record(
            None,
            "connection_paused",
            {"connection": current.slug, "reason": reason},
        )
    return True


@contextmanager
def asking(connection: Connection) -> Iterator[Service]:
    """The service for a call outside of a job.

    If the service rejects the key, the connection is paused, and the error is raised all the
    same.
    """
    try:
        yield Service.of(connection)
    except KeyRefusedError as exc:
        pause(connection, exc)
        raise


def _without_key(text: str, connection: Connection) -> str:
    """The words of the service without the rejected key, which it may repeat. People read them."""
    if connection.api_key:
        text = text.replace(connection.api_key, "…")
    return text[:500]


def _next_probe(probes: int) -> datetime:
    last = len(SCHEDULE) - 1
    seconds = SCHEDULE[min(probes, last)]
    return clock.now() + timedelta(seconds=seconds)


def probe(row: Pause) -> None:
    """Ask the service for a job with the present key.

    Any answer but a rejection ends the pause.
    """
    connection = Connection.objects.get(pk=row.connection_id)
    waiting = Job.objects.filter(
        connection=connection,
        due_at__isnull=False,
    )
    remote_id = waiting.order_by("due_at").values_list("remote_id", flat=True).first()
    try:
        if connection.is_active:
            Service.of(connection).get_job(remote_id or str(uuid.uuid4()))
    except KeyRefusedError as exc:
        _probe_later(row, reason=_without_key(str(exc), connection))
    except ServiceError as exc:
        # An unreachable service shows nothing about the key. A permanent error, such as for an
        # unknown job, is the answer to a caller whose key it accepts.
        if exc.permanent:
            _end(row, connection)
        else:
            _probe_later(row)
    else:
        # If the connection is switched off, the pause ends, and its jobs fail with that reason.
        _end(row, connection)


def _probe_later(row: Pause, **changes: str) -> None:
    probes = row.probes + 1
    row.complete(
        due_at=_next_probe(probes),
        probes=probes,
        **changes,
    )


@transaction.atomic
def _end(row: Pause, connection: Connection) -> None:
    if not row.move(Pause.Status.ENDED, due_at=None, leased_until=None):
        return
    log.info("The service of %s takes the key: its jobs go on.", connection.slug)
    trail.record(None, "connection_resumed", {"connection": connection.slug})
    received_webhooks.retry_now(connection)
    notify.after_commit(JOBS_QUEUE)


def probe_now(connection: Connection) -> bool:
    """Try the key at once, because it may be new.

    Returns False if the connection is not paused.
    """
    current = Pause.objects.filter(
        connection=connection,
        status=Pause.Status.PAUSED,
    )
    # A running probe uses the old key. The new claim count makes it lose its lease.
    count = current.update(
        due_at=clock.now(),
        leased_until=None,
        claim_count=F("claim_count") + 1,
        probes=0,
    )
    if count:
        notify.after_commit(QUEUE)
    return bool(count)


def probe_after_save(instance: Connection, **_: object) -> None:
    """Connected to post_save: an administrator may have entered another key or address."""
    probe_now(instance)


def health() -> str:
    """The state for /health/ready, which is public: `ok`, or the number of paused connections."""
    count = Pause.objects.filter(status=Pause.Status.PAUSED).count()
    if not count:
        return "ok"
    return f"paused, the key is refused: {count}"
