"""The embedded worker: threads that drain the queues of one machine, without a broker.

The threads wait for notifications (see pipe.py). They also look for due rows without one: on SQLite
whenever its change counter shows a commit. With a broker, Celery's workers do the same work.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from django.db import DatabaseError, Error, close_old_connections, connection

from compliance.celery import app
from compliance.storage import orphans
from compliance.work import notify, pipe, queues
from compliance.work.queues import WorkQueue
from compliance.work.timing import POLL_SECONDS, SWEEP_SECONDS

log = logging.getLogger(__name__)


@contextlib.contextmanager
def single_instance(lock: Path, stopping: threading.Event) -> Iterator[bool]:
    """A lock that only one embedded worker can hold: whether this one has it.

    Waits while another, maybe ending, holds it. Without the lock only if `stopping` is set.
    """
    with lock.open("w") as file:
        yield _wait_for_lock(file, stopping)


def _wait_for_lock(file: IO[str], stopping: threading.Event) -> bool:
    is_logged = False
    # Not a flock that waits: it goes on after a signal, and a stop would have no effect.
    while not stopping.is_set():
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not is_logged:
                log.warning("Another worker runs on these data: waiting for its end.")
                is_logged = True
            stopping.wait(POLL_SECONDS)
        else:
            return True
    return False


def run(
    stopping: threading.Event, *, is_single: bool, beat: Callable[[], None]
) -> None:
    """Handle all queues until `stopping` is set. `is_single`: no other worker can be alive.

    `beat` is called many times a second; it reports now and then that this worker is alive.
    """
    registered = queues.registered().values()
    if is_single:
        for queue in registered:
            # Leases of a worker that was killed: its rows would otherwise wait until they expire.
            queue.drop_leases()
    pools = [Pool(queue, stopping) for queue in registered]
    _watch(pools, stopping, beat)
    for pool in pools:
        pool.end()


class Pool:
    """The threads of one queue.

    A notification wakes one idle thread, which wakes another if there is more to do. If all were
    woken, they would race for one row, and each claim is a write.
    """

    def __init__(self, queue: WorkQueue, stopping: threading.Event) -> None:
        self.queue = queue
        self._stopping = stopping
        self._has_wake_up = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._run, name=queue.name, daemon=True)
            for _ in range(queue.concurrency)
        ]
        notify.subscribe(queue.name, self.wake)
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Have the queue drained. If all threads are busy, the first free thread does it."""
        with self._changed:
            self._has_wake_up = True
            self._changed.notify()

    def end(self) -> None:
        notify.unsubscribe(self.queue.name)
        with self._changed:
            # Wake all threads, so that each of them sees that the worker is stopping.
            self._changed.notify_all()
        for thread in self._threads:
            # A thread may be handling a row. Wait for it, but not for ever.
            thread.join(timeout=10)

    def _run(self) -> None:
        while self._wait():
            try:
                # Django closes outdated connections only around requests, and this thread serves
                # none.
                close_old_connections()
                _task(self.queue)()
            except Error as exc:
                # The database is unavailable or busy. The next look for due rows wakes this thread
                # again.
                log.warning("%s: %s", self.queue.name, type(exc).__name__)
            except Exception:
                # The thread must go on: without threads the queue would stand still.
                log.exception("%s: the task failed", self.queue.name)
        connection.close()

    def _wait(self) -> bool:
        """Wait for a notification. Returns False if the worker is stopping."""
        with self._changed:
            while not self._has_wake_up and not self._stopping.is_set():
                self._changed.wait()
            self._has_wake_up = False
        return not self._stopping.is_set()


def _task(queue: WorkQueue) -> Callable[[], object]:
    """The body of the Celery task that drains the queue; without such a task, `drain` itself."""
    # A task may do more than drain, so both kinds of worker run the same code.
    task: Callable[[], object] | None = app.tasks.get(queue.name)
    return task or queue.drain


def _watch(
    pools: list[Pool], stopping: threading.Event, beat: Callable[[], None]
) -> None:
    """Wake the pools of queues that were notified, and of queues that have due rows.

    It looks for due rows after each change of the database, and every SWEEP_SECONDS. `beat` is
    called from this loop, so that a worker that hangs here does not report that it is alive.
    """
    by_queue = {pool.queue.name: pool for pool in pools}
    search = _Search(pools)
    reader = pipe.Reader()
    while not stopping.is_set():
        try:
            notified = reader.wait(POLL_SECONDS)
            for name in notified & by_queue.keys():
                by_queue[name].wake()
            beat()
            # While notifications arrive, further looks would only slow the threads that they woke.
            search.look_if_due(SWEEP_SECONDS if notified else POLL_SECONDS)
        except Exception:
            # Whatever is wrong, the threads must go on, and this loop is what wakes them.
            log.exception("The search for work failed.")
            stopping.wait(SWEEP_SECONDS)
    reader.close()


class _Search:
    """Looks for due rows: after each change of the database, and every SWEEP_SECONDS."""

    def __init__(self, pools: list[Pool]) -> None:
        self._pools = pools
        self._last_change: int | None = None
        self._last_look = 0.0
        self._last_sweep = 0.0

    def look_if_due(self, interval: float) -> None:
        moment = time.monotonic()
        if moment - self._last_look < interval:
            return
        self._last_look = moment
        try:
            change = _count_changes()
            is_changed = change != self._last_change
            if is_changed or moment - self._last_sweep > SWEEP_SECONDS:
                self._wake_for_due_rows()
                self._last_change = change
                self._last_sweep = moment
        except (DatabaseError, sqlite3.Error) as exc:
            log.warning(
                "The database cannot be searched for work: %s", type(exc).__name__
            )
            # Close the broken connection: the next look for work opens a new one.
            close_old_connections()
            self._last_look = moment + SWEEP_SECONDS

    def _wake_for_due_rows(self) -> None:
        due = queues.due([pool.queue for pool in self._pools])
        for pool in self._pools:
            if pool.queue.name in due:
                pool.wake()
        # Also delete stored files without a row. They are rare, so this usually returns at once.
        orphans.start_if_due()


def _count_changes() -> int:
    """A number that changes when another connection has committed."""
    if connection.vendor != "sqlite":
        # PostgreSQL has no such counter: the pipe and the sweep are sufficient there.
        return 0
    # Each time: the connection may have been closed after an error.
    connection.ensure_connection()
    row = connection.connection.execute("PRAGMA data_version").fetchone()
    return int(row[0])
