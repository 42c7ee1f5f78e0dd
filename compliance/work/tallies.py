"""How often something was done, and how long it took: for metrics, and for the page of the queues.

A process counts in memory, and a thread adds what it has to the table every few seconds: a write for
each row that is worked would cost as much as the work. So the figures are those of all processes of
all machines, and a process that is killed loses a few seconds of them.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections, models, transaction
from django.db.models import F

from compliance.db import clock
from compliance.db.durability import relaxed_durability

log = logging.getLogger(__name__)

# The slots by which rates are shown, and how many of them are kept.
SLOT_SECONDS = 300
SLOTS = 13
# The slot of what was counted since the installation began.
EVER = 0


class Kind(StrEnum):
    """What is counted. Name and outcome of each come from a small, fixed set: they are labels of
    metrics. Never a value of a case, or of a person."""

    QUEUE = "queue"  # rows: the queue, and handled, failed or exhausted
    CHECK = "check"  # runs: the check, and its verdict
    DELIVERY = "delivery"  # attempts: the kind of row, and delivered, postponed or dead
    WEBHOOK = "webhook"  # that came: "", and applied or ignored
    SIGN_IN = "sign_in"  # "", and accepted or refused
    REQUEST = "request"  # method and route, and the status of the answer
    REQUEST_TIME = "request_time"  # the route, and the bucket of the histogram


# Only of these a rate is shown on a page. Prometheus computes its own.
WITH_RATES = {Kind.QUEUE}


class Tally(models.Model):
    """One count: since ever, or of one slot of time."""

    kind = models.CharField(max_length=16)
    name = models.CharField(max_length=100, blank=True)
    outcome = models.CharField(max_length=40)
    slot = models.PositiveBigIntegerField(
        help_text="Which slot of five minutes since 1970; 0: since ever."
    )
    count = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0)

    class Meta:
        app_label = "compliance"
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "name", "outcome", "slot"], name="one_tally_each"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} {self.outcome}"


class _Key(NamedTuple):
    kind: str
    name: str
    outcome: str
    slot: int


class _Sum:
    count = 0
    seconds = 0.0


_lock = threading.Lock()
_waiting: dict[_Key, _Sum] = {}
_thread: threading.Thread | None = None
_is_off = False


@contextmanager
def nothing_counted() -> Iterator[None]:
    """Count nothing in this process meanwhile: the past of a demonstration is no work of today."""
    global _is_off
    _is_off = True
    try:
        yield
    finally:
        _is_off = False


def add(
    kind: Kind, name: str, outcome: str, *, count: int = 1, seconds: float = 0.0
) -> None:
    """Count something. Takes microseconds, and never fails."""
    if not count or _is_off:
        return
    keys = [_Key(kind.value, name, outcome, EVER)]
    if kind in WITH_RATES:
        keys.append(_Key(kind.value, name, outcome, current_slot()))
    with _lock:
        for key in keys:
            total = _waiting.setdefault(key, _Sum())
            total.count += count
            total.seconds += seconds
    if settings.TALLY_SECONDS:
        _start_thread()


def current_slot() -> int:
    """By the database's clock: machines add to the same slots."""
    return int(clock.now().timestamp() // SLOT_SECONDS)


def flush() -> None:
    """Add what waits to the table. What cannot be written waits on."""
    with _lock:
        sums = dict(_waiting)
        _waiting.clear()
    if not sums:
        return
    try:
        # If a power cut loses it, the figures are a little low.
        with relaxed_durability(), transaction.atomic():
            # In one order, or two processes could wait for each other.
            for key in sorted(sums):
                _add_to_table(key, sums[key])
            oldest = current_slot() - SLOTS
            Tally.objects.filter(slot__gt=EVER, slot__lt=oldest).delete()
    except DatabaseError as exc:
        log.warning("Figures are not written yet (%s).", type(exc).__name__)
        _put_back(sums)


def _add_to_table(key: _Key, total: _Sum) -> None:
    rows = Tally.objects.filter(**key._asdict())
    changes = {
        "count": F("count") + total.count,
        "seconds": F("seconds") + total.seconds,
    }
    if rows.update(**changes):
        return
    # Another process may make the row at the same moment.
    Tally.objects.bulk_create([Tally(**key._asdict())], ignore_conflicts=True)
    rows.update(**changes)


def _put_back(sums: dict[_Key, _Sum]) -> None:
    with _lock:
        for key, total in sums.items():
            waiting = _waiting.setdefault(key, _Sum())
            waiting.count += total.count
            waiting.seconds += total.seconds


def forget() -> None:
    """Drop what waits: for a test, which has a database of its own."""
    with _lock:
        _waiting.clear()


def _start_thread() -> None:
    # Not at the import: a thread does not survive the fork of a server's process.
    global _thread
    with _lock:
        if _thread is not None and _thread.is_alive():
            return
        _thread = threading.Thread(target=_write_on, name="tallies", daemon=True)
        _thread.start()
        atexit.register(flush)


def _write_on() -> None:
    while True:
        time.sleep(settings.TALLY_SECONDS)
        close_old_connections()
        flush()
