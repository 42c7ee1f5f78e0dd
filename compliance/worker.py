"""The worker of the embedded default: the same lanes that Celery drains, without a broker.

On SQLite it notices work by the database's own change counter, which costs microseconds a look.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import DatabaseError, close_old_connections, connection

from compliance import bell, work
from compliance.work import Lane

log = logging.getLogger(__name__)

# Seconds between two looks: short for a moment after something changed, else long.
QUICK, SLOW, LIVELY = 0.005, 0.05, 2.0
SWEEP = 1.0


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold the lock of the one embedded worker. Waits while another, perhaps dying, has it."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(stopping: threading.Event, *, sole: bool) -> None:
    """Work all lanes until `stopping` is set. `sole`: no other worker can be alive."""
    lanes = work.lanes().values()
    if sole:
        for lane in lanes:
            lane.release()  # those of a predecessor that was killed
    threads = [_Hand(lane, stopping) for lane in lanes for _ in range(lane.threads)]
    for thread in threads:
        thread.start()
    _watch(threads, stopping)
    for thread in threads:
        thread.rouse()
    for thread in threads:
        thread.join(timeout=10)


class _Hand(threading.Thread):
    """One thread of one lane: sleeps until it is roused, then does what is due."""

    def __init__(self, lane: Lane, stopping: threading.Event) -> None:
        super().__init__(name=lane.name, daemon=True)
        self.lane, self.stopping = lane, stopping
        self._roused = threading.Event()
        bell.listen(lane.name, self._roused.set)

    def rouse(self) -> None:
        self._roused.set()

    def run(self) -> None:
        while not self.stopping.is_set():
            self._roused.wait()
            self._roused.clear()
            try:
                self.lane.drain()
            except DatabaseError as exc:
                # The database is away or busy; the next sweep tries again on a new connection.
                log.warning("%s: %s", self.lane.name, type(exc).__name__)
                close_old_connections()
        connection.close()


def _watch(hands: list[_Hand], stopping: threading.Event) -> None:
    changed = _change_counter()
    lively_until = swept = 0.0
    seen = None
    while not stopping.is_set():
        moment = time.monotonic()
        version = changed()
        if version != seen or moment - swept > SWEEP:
            lively_until = moment + LIVELY if version != seen else lively_until
            seen, swept = version, moment
            for hand in hands:
                hand.rouse()
        stopping.wait(QUICK if moment < lively_until else SLOW)


def _change_counter() -> Callable[[], int]:
    """A number that changes when another connection has committed."""
    if connection.vendor != "sqlite":
        return lambda: int(time.monotonic() / 0.25)  # no such counter: look four times a second
    connection.ensure_connection()
    raw = connection.connection

    def version() -> int:
        return int(raw.execute("PRAGMA data_version").fetchone()[0])

    return version
