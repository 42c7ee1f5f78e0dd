"""The bell: tells the workers that a lane has work. A lost ring costs time, never work.

A worker that rings tells its own idle threads first. Else, with a broker, rings are coalesced into
at most one Celery task per lane and gap; without one, workers watch the database (see worker.py).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import transaction
from kombu.exceptions import KombuError, OperationalError

log = logging.getLogger(__name__)

# Between two publishes for one lane, seconds, in one process: short at first, and longer once a STREAK
# of them followed each other, because a busy worker comes to the rows without being called.
# The trailing edge always rings.
GAP, LONGEST, STREAK = 0.01, 0.05, 8
# The same in a worker, whose threads are busy with that lane and will come to it: a call for help.
HELP = 0.25


def ring(lane: str) -> None:
    """Tell the workers after the current transaction has committed (at once if there is none)."""
    transaction.on_commit(lambda: ring_now(lane))


def ring_now(lane: str) -> None:
    tell = _listeners.get(lane)
    if tell and tell():
        return  # a message to somebody else would cost more than the look for work
    if settings.CELERY_BROKER_URL:
        _ringer.add(lane)


def listen(lane: str, tell: Callable[[], bool]) -> None:
    """Have `tell` called whenever this process rings for `lane`; it says if anybody was idle."""
    _listeners[lane] = tell


_listeners: dict[str, Callable[[], bool]] = {}


class _Ringer:
    """Publishes from its own thread, so that no request waits for a broker that is away."""

    def __init__(self) -> None:
        # The lanes to ring for, when each may be rung for next, and how many rings followed each other.
        self._wanted: set[str] = set()
        self._next: dict[str, float] = {}
        self._streak: dict[str, int] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, lane: str) -> None:
        with self._changed:
            self._wanted.add(lane)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            for lane in self._take():
                _publish(lane)
                self._wait_after(lane, time.monotonic())

    def _wait_after(self, lane: str, moment: float) -> None:
        follows = moment - self._next.get(lane, 0.0) < GAP
        streak = self._streak[lane] = self._streak.get(lane, 0) + 1 if follows else 0
        gap = HELP if lane in _listeners else LONGEST if streak > STREAK else GAP
        self._next[lane] = moment + gap

    def _take(self) -> list[str]:
        """Wait for lanes whose moment has come."""
        with self._changed:
            while True:
                moment = time.monotonic()
                free = [lane for lane in self._wanted if self._next.get(lane, 0.0) <= moment]
                if free:
                    self._wanted.difference_update(free)
                    return free
                nexts = [self._next[lane] for lane in self._wanted]
                self._changed.wait(min(nexts) - moment if nexts else None)


def _publish(lane: str) -> None:
    from compliance.celery import app

    try:
        app.send_task("compliance.drain", args=[lane], retry=False, expires=60)
    except (OperationalError, KombuError, OSError) as exc:
        # The sweep finds the rows; the broker's absence is worth one line, not a failed request.
        log.warning(
            "The broker could not be reached (%s); the sweep will ring.", type(exc).__name__
        )


_ringer = _Ringer()
