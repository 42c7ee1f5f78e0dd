"""The threads that work the lanes, in a Celery worker or without a broker.

Celery calls them when it is rung for. Without a broker they wait at the door (see doorbell.py), and
watch for work that nobody rang for: on SQLite by the database's own change counter.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.db import DatabaseError, Error, close_old_connections, connection

from compliance import bell, doorbell, orphans, work
from compliance.work import Lane

log = logging.getLogger(__name__)

# Seconds between two looks whether anything changed, and between two for work if nothing did.
LOOK, SWEEP = 0.05, 1.0
# What nobody rang for is done within so many seconds: not while somebody waits for what was rung for.
LATER = 0.1
# A lane that did MANY rows within BUSY seconds is in a rush. One job after another does fewer.
MANY, BUSY = 12, 0.2


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
    own = _crews_of(lanes, stopping)
    _watch(own, stopping)
    for crew in own:
        crew.end()


class Crews:
    """The threads of all lanes in a Celery worker: started by the first ring, ended with it."""

    def __init__(self) -> None:
        self._started = threading.Lock()
        self._stopping = threading.Event()
        self._crews: dict[str, _Crew] = {}

    def call(self, lane: str) -> None:
        """Have the lane drained. Returns at once."""
        with self._started:
            if not self._crews:
                crews = _crews_of(work.lanes().values(), self._stopping)
                self._crews = {crew.lane.name: crew for crew in crews}
        self._crews[lane].call()

    def end(self) -> None:
        """Let what is under way come to an end; what does not in time, another worker takes up."""
        self._stopping.set()
        for crew in self._crews.values():
            crew.end()


crews = Crews()


class _Crew:
    """The threads of one lane. A call wakes one that is idle, which calls another for more.

    To wake them all would have them race for one row, and each claim is a write.
    """

    def __init__(self, lane: Lane, stopping: threading.Event) -> None:
        self.lane, self.stopping = lane, stopping
        self._when = math.inf  # the moment by which the lane is to be drained
        self._idle = 0
        self._gathering = threading.Lock()
        self._done = deque([(0.0, 0)], maxlen=MANY)  # when the last drains ended, and their rows
        self._changed = threading.Condition()
        bell.listen(lane.name, self.call)
        self._threads = [
            threading.Thread(target=self._run, name=lane.name, daemon=True)
            for _ in range(lane.threads)
        ]
        for thread in self._threads:
            thread.start()

    def call(self, within: float = 0.0) -> bool:
        """Have the lane drained within so many seconds: at once, where another call says so.

        Returns False where all are busy: the first that is done looks again.
        """
        with self._changed:
            self._when = min(self._when, time.monotonic() + within)
            self._changed.notify()
            return self._idle > 0

    def end(self) -> None:
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _is_called(self) -> bool:
        with self._changed:
            self._idle += 1
            while not self.stopping.is_set() and (left := self._when - time.monotonic()) > 0:
                self._changed.wait(left if left < math.inf else None)
            self._idle -= 1
            self._when = math.inf
        return not self.stopping.is_set()

    def _run(self) -> None:
        while self._is_called():
            try:
                close_old_connections()
                # Not SELECT 1 for each call: where the connection was lost, this drain fails, the
                # next connects anew, and a sweep calls for what is left.
                setattr(connection, "health_check_done", True)  # noqa: B010 - unknown to the stubs
                if self._may_drain() and (rows := self.lane.drain()):
                    self._done.append((time.monotonic(), rows))
            except Error as exc:
                log.warning("%s: %s", self.lane.name, type(exc).__name__)
            except Exception:
                # A thread that ended would leave its lane to the others, in the end to nobody.
                log.exception("%s: the drain failed", self.lane.name)
        connection.close()

    def _may_drain(self) -> bool:
        """In a rush, wait for what follows. Returns False where another thread waits: it will look
        for all."""
        since = time.monotonic() - BUSY
        done = sum(rows for ended, rows in list(self._done) if ended > since)
        if done < MANY or not self.lane.rush:
            return True
        if not self._gathering.acquire(blocking=False):
            return False
        time.sleep(self.lane.rush)
        self._gathering.release()
        return True


def _crews_of(lanes: Iterable[Lane], stopping: threading.Event) -> list[_Crew]:
    # What is loaded by now stays: the garbage collector would walk through it while work waits.
    gc.freeze()
    return [_Crew(lane, stopping) for lane in lanes]


def _watch(crews: list[_Crew], stopping: threading.Event) -> None:
    """Call the crews that are rung for, and those of lanes that have work: after changes of the
    database, and regularly."""
    by_lane = {crew.lane.name: crew for crew in crews}
    changed, seen = _change_counter(), None
    looked = swept = 0.0
    door = doorbell.Door()
    while not stopping.is_set():
        rung = door.wait(LOOK)
        for name, within in rung.items():
            if name in by_lane:
                by_lane[name].call(within)
        moment = time.monotonic()
        # While rings come, the look would only get in the way of what was rung for.
        if moment - looked < (SWEEP if rung else LOOK):
            continue
        looked, version = moment, changed()
        if version != seen or moment - swept > SWEEP:
            seen, swept = version, moment
            _call_for_work(crews)
    door.close()


def _call_for_work(crews: list[_Crew]) -> None:
    orphans.start_if_due()
    try:
        due = work.due([crew.lane for crew in crews])
        for crew in crews:
            if crew.lane.name in due:
                crew.call(LATER)
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
