"""The bell: tells the workers that a lane has work. A lost ring costs time, never work.

A worker that rings tells its own idle threads first. Else, with a broker, rings are coalesced into
at most one Celery task per gap, for all lanes that have work; without one, a pipe carries them to the
worker of this machine (see doorbell.py).

Who rings may say that more is about to follow: then the lane waits for it, so that what belongs
together is done together, but no longer than until somebody rings without saying so.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import transaction
from kombu.exceptions import KombuError, OperationalError

from compliance import doorbell

log = logging.getLogger(__name__)

# Seconds between two publishes of one process for one lane: the webhooks of a job come together. The
# trailing edge always rings.
GAP = 0.02
# The same in a worker, whose threads are busy with that lane and will come to it: a call for help.
HELP = 1.0
# Where there is no end of work they are SPACING apart, whatever the lane, because a busy worker comes
# to the rows without being called; AHEAD of them may come sooner, so that who sends a job now and
# then is not kept waiting.
SPACING, AHEAD = 0.05, 10


def ring(lane: str, *, within: float = 0.0) -> None:
    """Tell the workers after the current transaction has committed (at once if there is none).

    `within`: they may wait so many seconds for what follows.
    """
    transaction.on_commit(lambda: ring_now(lane, within=within))


def ring_now(lane: str, *, within: float = 0.0) -> None:
    tell = _listeners.get(lane)
    if tell and tell(within):
        return  # a message to somebody else would cost more than the look for work
    if settings.CELERY_BROKER_URL:
        _ringer.add(lane, within)
    elif not tell:
        doorbell.press(lane, within)


def listen(lane: str, tell: Callable[[float], bool]) -> None:
    """Have `tell` called whenever this process rings for `lane`, with the seconds that it may wait;
    it says if anybody was idle."""
    _listeners[lane] = tell


_listeners: dict[str, Callable[[float], bool]] = {}


class _Ringer:
    """Publishes from its own thread, so that no request waits for a broker that is away."""

    def __init__(self) -> None:
        # The lanes to ring for, and from when on; when the next ring may be, when it would be had
        # all been SPACING apart, and when each lane may be rung for.
        self._wanted: dict[str, float] = {}
        self._next = self._even = 0.0
        self._free: dict[str, float] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, lane: str, within: float) -> None:
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
            moment = time.monotonic() + within
            if moment < self._wanted.get(lane, math.inf):  # else it waits for this already
                self._wanted[lane] = moment
                self._changed.notify()

    def _run(self) -> None:
        while True:
            _publish(self._take())

    def _take(self) -> list[str]:
        """Wait for lanes whose moment has come."""
        with self._changed:
            while True:
                moment = time.monotonic()
                due = [lane for lane in self._wanted if self._when(lane) <= moment]
                if due:
                    for lane in due:
                        del self._wanted[lane]
                    self._space(due, moment)
                    return due
                nexts = map(self._when, self._wanted)
                self._changed.wait(min(nexts) - moment if self._wanted else None)

    def _when(self, lane: str) -> float:
        return max(self._next, self._free.get(lane, 0.0), self._wanted.get(lane, 0.0))

    def _space(self, rung: list[str], moment: float) -> None:
        self._even = max(self._even, moment) + SPACING
        self._next = self._even - AHEAD * SPACING
        self._free |= {lane: moment + (HELP if lane in _listeners else GAP) for lane in rung}


def _publish(lanes: list[str]) -> None:
    from compliance.celery import app

    try:
        app.send_task("compliance.drain", args=[lanes], retry=False, expires=60)
    except (OperationalError, KombuError, OSError) as exc:
        # The sweep finds the rows; the broker's absence is worth one line, not a failed request.
        log.warning(
            "The broker could not be reached (%s); the sweep will ring.", type(exc).__name__
        )


_ringer = _Ringer()
