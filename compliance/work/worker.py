"""The embedded worker: threads that drain the queues of one machine, without a broker.

They wait for wake-ups at the pipe (see pipe.py), and look for rows that nobody notified of: on
SQLite by the database's own change counter. With a broker Celery's workers do the same work.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import DatabaseError, Error, close_old_connections, connection

from compliance.celery import app
from compliance.storage import orphans
from compliance.work import isolation, notify, pipe, queues
from compliance.work.queues import WorkQueue
from compliance.work.timing import POLL_SECONDS, SWEEP_SECONDS

log = logging.getLogger(__name__)


@contextlib.contextmanager
def single_instance(lock: Path) -> Iterator[None]:
    """Hold the lock of the one embedded worker. Waits while another, perhaps dying, has it."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(stopping: threading.Event, *, is_single: bool) -> None:
    """Work all queues until `stopping` is set. `is_single`: no other worker can be alive."""
    registered = queues.registered().values()
    if is_single:
        for queue in registered:
            queue.drop_leases()  # those of a predecessor that was killed
    pools = [Pool(queue, stopping) for queue in registered]
    _watch(pools, stopping)
    for pool in pools:
        pool.end()


class Pool:
    """The threads of one queue. A wake-up wakes one that is idle, which wakes another for more.

    To wake them all would have them race for one row, and each claim is a write.
    """

    def __init__(self, queue: WorkQueue, stopping: threading.Event) -> None:
        self.queue = queue
        self._stopping = stopping
        self._is_wanted = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._run, name=queue.name, daemon=True)
            for _ in range(queue.concurrency)
        ]
        notify.subscribe(queue.name, self.wake)
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Have the queue drained. Where all threads are busy, the first that is done looks again."""
        with self._changed:
            self._is_wanted = True
            self._changed.notify()

    def end(self) -> None:
        notify.unsubscribe(self.queue.name)
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _run(self) -> None:
        while self._wait():
            try:
                close_old_connections()
                _task(self.queue)()
            except isolation.StoppedError:
                log.info("%s: stopped", self.queue.name)
            except Error as exc:
                log.warning("%s: %s", self.queue.name, type(exc).__name__)
            except Exception:
                # A thread that ended would leave its queue to the others, in the end to nobody.
                log.exception("%s: the task failed", self.queue.name)
        connection.close()

    def _wait(self) -> bool:
        """Wait for a wake-up. Returns False where the worker ends."""
        with self._changed:
            while not self._is_wanted and not self._stopping.is_set():
                self._changed.wait()
            self._is_wanted = False
        return not self._stopping.is_set()


def _task(queue: WorkQueue) -> Callable[[], object]:
    """The body of the Celery task that drains the queue."""
    task: Callable[[], object] | None = app.tasks.get(queue.name)
    return task or queue.drain


def _watch(pools: list[Pool], stopping: threading.Event) -> None:
    """Wake the pools whose queues were notified, and those that have work: after changes of the
    database, and regularly."""
    by_queue = {pool.queue.name: pool for pool in pools}
    changes, last_change = _change_counter(), None
    last_look = last_sweep = 0.0
    reader = pipe.Reader()
    while not stopping.is_set():
        notified = reader.wait(POLL_SECONDS)
        for name in notified & by_queue.keys():
            by_queue[name].wake()
        moment = time.monotonic()
        # While wake-ups come, the look would only get in the way of what was notified.
        if moment - last_look < (SWEEP_SECONDS if notified else POLL_SECONDS):
            continue
        last_look, change = moment, changes()
        if change != last_change or moment - last_sweep > SWEEP_SECONDS:
            last_change, last_sweep = change, moment
            _wake_for_due_rows(pools)
    reader.close()


def _wake_for_due_rows(pools: list[Pool]) -> None:
    orphans.start_if_due()
    try:
        due = queues.due([pool.queue for pool in pools])
    except DatabaseError as exc:
        log.warning("The database cannot be asked for work: %s", type(exc).__name__)
        close_old_connections()
        return
    for pool in pools:
        if pool.queue.name in due:
            pool.wake()


def _change_counter() -> Callable[[], int]:
    """A number that changes when another connection has committed."""
    if connection.vendor != "sqlite":
        return lambda: int(time.monotonic() / 0.25)  # no such counter: look four times a second
    connection.ensure_connection()
    raw = connection.connection

    def version() -> int:
        return int(raw.execute("PRAGMA data_version").fetchone()[0])

    return version
