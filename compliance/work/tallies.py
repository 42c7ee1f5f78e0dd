"""Tallies: how often something was done and how long it took, for metrics and the page of queues.

Each process counts in memory, and a thread adds its counts to the table every few seconds: one
write per handled row would cost as much as the work. So the figures cover all processes of all
machines, and a killed process loses a few seconds of them.
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

# Rates are shown per slot of time: its length in seconds, and how many slots are kept.
SLOT_SECONDS = 300
SLOTS = 13
# The slot of the totals since installation.
EVER = 0


class Kind(StrEnum):
    """What is counted.

    Names and outcomes come from small fixed sets, because they become labels of metrics. Never use
    a value of a case or of a person."""

    QUEUE = "queue"  # name: the queue; outcome: handled, failed or exhausted
    CHECK = "check"  # name: the check; outcome: its verdict
    # name: the kind of delivery; outcome: delivered, postponed or dead
    DELIVERY = "delivery"
    WEBHOOK = "webhook"  # incoming; name: empty; outcome: applied or ignored
    SIGN_IN = "sign_in"  # name: empty; outcome: accepted or refused
    REQUEST = "request"  # name: method and route; outcome: the status
    # name: the route; outcome: the bucket of the histogram
    REQUEST_TIME = "request_time"


# Kinds with a rate on a page. Prometheus computes its own rates from the totals.
WITH_RATES = {Kind.QUEUE}


class Tally(models.Model):
    """One counter: the total since installation, or the count of one slot of time."""

    kind = models.CharField(max_length=16)
    name = models.CharField(max_length=100, blank=True)
    outcome = models.CharField(max_length=40)
    slot = models.PositiveBigIntegerField(
        help_text="Which slot of five minutes since 1970; 0: since installation."
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
    """Count nothing in this process within the block.

    A demonstration creates its past with it: that is not work of this installation.
    """
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
    """The current slot by the database's clock, so that all machines use the same slots."""
    return int(clock.now().timestamp() // SLOT_SECONDS)


def flush() -> None:
    """Add the waiting counts to the table. On a database error they stay for the next attempt."""
    with _lock:
        sums = dict(_waiting)
        _waiting.clear()
    if not sums:
        return
    try:
        # A lost commit only makes the figures a little too low.
        with relaxed_durability(), transaction.atomic():
            # Always in the same order: otherwise two processes could deadlock.
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
    # Insert the row first: another process may insert it at the same moment.
    Tally.objects.bulk_create([Tally(**key._asdict())], ignore_conflicts=True)
    rows.update(**changes)


def _put_back(sums: dict[_Key, _Sum]) -> None:
    with _lock:
        for key, total in sums.items():
            waiting = _waiting.setdefault(key, _Sum())
            waiting.count += total.count
            waiting.seconds += total.seconds


def forget() -> None:
    """Drop the waiting counts. For tests, each of which has its own database."""
    with _lock:
        _waiting.clear()


def _start_thread() -> None:
    # Not at import: a thread does not survive the fork of a server process.
    global _thread
    with _lock:
        if _thread is not None and _thread.is_alive():
            return
        _thread = threading.Thread(target=_write_on, name="tallies", daemon=True)
        _thread.start()
        # Write the remaining counts when the process ends.
        atexit.register(flush)


def _write_on() -> None:
    while True:
        time.sleep(settings.TALLY_SECONDS)
        # Django closes outdated connections only around requests, and this thread serves none.
        close_old_connections()
        flush()
