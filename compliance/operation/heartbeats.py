"""Heartbeats: each working process updates a row every few seconds, so missing ones are noticed.

Rows are written and compared by the database's clock only.
"""

from __future__ import annotations

import logging
import os
import platform
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from celery import bootsteps
from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.models import QuerySet
from django.db.models.functions import Now

from compliance.db import clock
from compliance.db.connections import time_limits
from compliance.db.durability import relaxed_durability
from compliance.models import Heartbeat
from compliance.storage import outages
from compliance.work import queues

log = logging.getLogger(__name__)

# The interval of heartbeats, and how long one counts: a process may miss two.
PERIOD_SECONDS = 10
FRESH = timedelta(seconds=35)
# Rows of processes that ended without removing theirs are deleted after this time.
KEPT = timedelta(hours=1)
# A worker takes no messages while its heartbeat waits for the database.
ANSWER_SECONDS = 3.0
# A heartbeat that was not written is tried again this soon, so that a moment in which others write
# does not count as a missing worker.
RETRY_SECONDS = 2.0

Kind = Heartbeat.Kind


def machine() -> str:
    return platform.node()[:80]


def write(kind: Kind, name: str, *, serves: Collection[str] = ()) -> None:
    """Record that this process works. Raises DatabaseError if the row cannot be written."""
    row = Heartbeat(
        name=name,
        kind=kind,
        queues=",".join(sorted(serves)),
        skew_seconds=round(clock.skew().total_seconds(), 3),
        at=Now(),
    )
    # A lost commit is harmless: after a power cut the process is gone as well.
    with relaxed_durability():
        Heartbeat.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["kind", "queues", "skew_seconds", "at"],
        )


def fresh(kind: Kind, within: timedelta = FRESH) -> QuerySet[Heartbeat]:
    """The heartbeats that still count."""
    return Heartbeat.objects.filter(kind=kind, at__gt=Now() - within)


def broker_queues() -> set[str]:
    """The broker's queues that need a worker: those of this installation's tasks."""
    routes = settings.CELERY_TASK_ROUTES
    default = {"queue": settings.CELERY_TASK_DEFAULT_QUEUE}
    return {routes.get(name, default)["queue"] for name in queues.registered()}


def warn_before_migration(using: str) -> None:
    """Log which processes may still run while migrations are applied: they have older code."""
    tables = connections[using].introspection.table_names()
    if Heartbeat._meta.db_table not in tables:
        return  # the first migration
    alive = Heartbeat.objects.using(using).filter(at__gt=Now() - FRESH)
    names = ", ".join(alive.order_by("name").values_list("name", flat=True))
    if names:
        log.warning(
            "Processes of the version before had a heartbeat within the last %d seconds: %s. If they"
            " still run, stop them: old and new code may not work side by side (docs/deploy.md,"
            " Upgrades).",
            FRESH.total_seconds(),
            names,
        )


class Worker:
    """The heartbeat of one worker process."""

    def __init__(self, name: str, serves: Collection[str]) -> None:
        self._name = f"worker {name}"[:200]
        self._serves = serves
        self._next = 0.0  # in seconds of the steady clock: when the next one is due

    def beat_if_due(self) -> None:
        """Write a heartbeat if one is due. Cheap otherwise."""
        if clock.steady() < self._next:
            return
        is_written = self.beat()
        pause = PERIOD_SECONDS if is_written else RETRY_SECONDS
        self._next = clock.steady() + pause

    def beat(self) -> bool:
        """Write a heartbeat; False if the database took none. Never raises: a worker goes on while
        the database is unavailable.
        """
        try:
            with time_limits.answer_within(ANSWER_SECONDS):
                write(Kind.WORKER, self._name, serves=self._serves)
                Heartbeat.objects.filter(at__lt=Now() - KEPT).delete()
        except DatabaseError as exc:
            outage = outages.of(exc)
            reason = outage[0].name if outage else type(exc).__name__
            log.warning("No heartbeat was written: %s", reason)
            return False
        return True

    def end(self) -> None:
        """Remove the row, because a worker that was stopped is not missing."""
        try:
            with time_limits.answer_within(ANSWER_SECONDS):
                Heartbeat.objects.filter(name=self._name).delete()
        except DatabaseError as exc:
            log.warning("A heartbeat was not removed: %s", type(exc).__name__)


def of_this_process() -> Worker:
    """The heartbeat of `manage.py work`, which serves all queues."""
    name = machine()
    # Several workers on one machine need different names. There is only one embedded worker.
    if not settings.EMBEDDED:
        name = f"{name}:{os.getpid()}"
    return Worker(name, broker_queues())


class CeleryHeartbeat(bootsteps.StartStopStep):
    """The heartbeat of a Celery worker: a step of its consumer, driven by the consumer's timer.

    A worker that has lost the broker gets no work, and so has no heartbeat.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        names = [queue.name for queue in parent.task_consumer.queues]
        self._worker = Worker(parent.hostname, names)
        self._timer = parent.timer.call_repeatedly(PERIOD_SECONDS, self._beat)
        self._beat()

    def stop(self, parent: object) -> None:
        """Called when the worker ends, and when it has lost the broker."""
        self._timer.cancel()
        self._worker.end()
        connection.close()

    def _beat(self) -> None:
        self._worker.beat()
        # The pool's processes are forked from this one, and must not share its connection.
        connection.close()


def note_sweep() -> None:
    """Record that the sweep has run: without it, work that is due by time alone waits for ever."""
    write(Kind.SWEEP, Kind.SWEEP)
