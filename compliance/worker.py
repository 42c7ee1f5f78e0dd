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
QUICK, SLOW, LIVELY = 0.003, 0.05, 2.0
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
    crews = [_Crew(lane, stopping) for lane in lanes]
    _watch(crews, stopping)
    for crew in crews:
        crew.end()


class _Crew:
    """The threads of one lane. A call wakes one that is idle, which calls another for more.

    To wake them all would have them race for one row, and each claim is a write.
    """

    def __init__(self, lane: Lane, stopping: threading.Event) -> None:
        self.lane, self.stopping = lane, stopping
        self._called = False
        self._changed = threading.Condition()
        bell.listen(lane.name, self.call)
        self._threads = [
            threading.Thread(target=self._run, name=lane.name, daemon=True)
            for _ in range(lane.threads)
        ]
        for thread in self._threads:
            thread.start()

    def call(self) -> None:
        with self._changed:
            self._called = True
            self._changed.notify()

    def end(self) -> None:
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _is_called(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._called or self.stopping.is_set())
            self._called = False
        return not self.stopping.is_set()

    def _run(self) -> None:
        while self._is_called():
            try:
                self.lane.drain()
            except DatabaseError as exc:
                # The database is away or busy; the next sweep tries again on a new connection.
                log.warning("%s: %s", self.lane.name, type(exc).__name__)
                close_old_connections()
        connection.close()


def _watch(crews: list[_Crew], stopping: threading.Event) -> None:
    """Call the crews of lanes that have work: after each change of the database, and regularly."""
    changed = _change_counter()
    lively_until = swept = 0.0
    seen = None
    while not stopping.is_set():
        moment = time.monotonic()
        version = changed()
        if version != seen or moment - swept > SWEEP:
            lively_until = moment + LIVELY if version != seen else lively_until
            seen, swept = version, moment
            _call_for_work(crews)
        stopping.wait(QUICK if moment < lively_until else SLOW)


def _call_for_work(crews: list[_Crew]) -> None:
    try:
        for crew in crews:
            if crew.lane.is_due():
                crew.call()
    except DatabaseError as exc:
        log.warning("The database cannot be asked for work: %s", type(exc).__name__)
        close_old_connections()


def _change_counter() -> Callable[[], int]:
    """A number that changes when another connection has committed."""
    if connection.vendor != "sqlite":
        return lambda: int(time.monotonic() / 0.25)  # no such counter: look four times a second
    connection.ensure_connection()
    raw = connection.connection

    def version() -> int:
        return int(raw.execute("PRAGMA data_version").fetchone()[0])

    return version
