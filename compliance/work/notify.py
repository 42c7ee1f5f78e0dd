"""Wake the workers of a queue. A wake-up may be lost: the workers also look for due rows themselves.

With a broker a wake-up is a message for the task that drains the queue, which any Celery worker may
take. Without one it goes to the worker of this machine (see pipe.py), or, where this process is the
worker, to its threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from kombu.exceptions import KombuError, OperationalError

from compliance.work import pipe
from compliance.work.timing import COALESCE_SECONDS

log = logging.getLogger(__name__)

# Messages in one queue of the broker. A worker takes thousands of them a minute.
MAX_WAITING = 1000

_subscribers: dict[str, Callable[[], None]] = {}


def after_commit(queue: str) -> None:
    """Wake the workers once the current transaction has committed; at once if there is none."""
    transaction.on_commit(lambda: at_once(queue))


def at_once(queue: str) -> None:
    """Wake the workers now. Never waits and never fails."""
    wake = _subscribers.get(queue)
    # The embedded worker's own threads need neither a broker nor the pipe.
    if wake is not None:
        wake()
    if settings.CELERY_BROKER_URL:
        _publisher.add(queue)
    elif wake is None:
        pipe.write(queue)


def subscribe(queue: str, wake: Callable[[], None]) -> None:
    """Call `wake` for each wake-up of the queue in this process, whose threads do the work."""
    _subscribers[queue] = wake


def unsubscribe(queue: str) -> None:
    _subscribers.pop(queue, None)


class _Publisher:
    """Publishes from its own thread, so that no request waits for a broker that is away."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queues: set[str] = set()  # for which a message is to be sent
        self._next: dict[
            str, float
        ] = {}  # of each queue: when the next message may be sent
        self._thread: threading.Thread | None = None

    def add(self, queue: str) -> None:
        with self._changed:
            # Started at the first use: a thread does not survive the fork of a server's process.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="notify", daemon=True
                )
                self._thread.start()
            # Wake-ups that come while one waits are the same message: this coalesces them.
            if queue not in self._queues:
                self._queues.add(queue)
                self._changed.notify()

    def _run(self) -> None:
        while True:
            _publish(self._wait())

    def _wait(self) -> str:
        """Wait until a message for some queue may be sent. Returns the queue."""
        with self._changed:
            while True:
                queue = self._soonest()
                if queue is None:
                    self._changed.wait()
                    continue
                moment = time.monotonic()
                wait = self._next.get(queue, 0.0) - moment
                if wait <= 0:
                    self._queues.remove(queue)
                    self._next[queue] = moment + COALESCE_SECONDS
                    return queue
                # A queue whose turn is sooner may be added meanwhile: that ends the wait.
                self._changed.wait(wait)

    def _soonest(self) -> str | None:
        """The queue whose message may be sent first."""
        return min(
            self._queues, key=lambda queue: self._next.get(queue, 0.0), default=None
        )


def _publish(task: str) -> None:
    from compliance.celery import (
        app,
    )  # imported here: without a broker Celery is not loaded

    try:
        with app.producer_or_acquire() as producer:
            # Whoever takes one of those that wait finds the rows of this one, too.
            if not is_full(producer, task):
                # No retry: the sweep sends the same message again.
                app.send_task(task, retry=False, producer=producer)
    except (OperationalError, KombuError, OSError) as exc:
        # A broker that is away is worth a line in the log, not a failed request.
        log.warning(
            "The broker could not be reached (%s); the sweep will notify.",
            type(exc).__name__,
        )


def is_full(producer: Any, task: str) -> bool:
    """Whether so many messages wait in the broker's queue of the task that none need be added.

    While no worker runs, messages would fill the broker. They have no time of expiry: a worker whose
    clock is ahead of the sender's would drop every one.
    """
    route = settings.CELERY_TASK_ROUTES.get(task, {})
    queue = route.get("queue", settings.CELERY_TASK_DEFAULT_QUEUE)
    connection = producer.connection
    try:
        waiting: int = producer.channel.queue_declare(queue=queue).message_count
    except (*connection.connection_errors, *connection.channel_errors):
        # To send the message opens the connection again, or says what is wrong.
        return False
    return waiting >= MAX_WAITING


def broker_fault() -> str:
    """Why the broker takes no messages now; "" where it does."""
    from compliance.celery import app

    try:
        with app.connection_for_write() as connection:
            channel: Any = connection.default_channel
            channel.queue_declare(queue=settings.CELERY_TASK_DEFAULT_QUEUE)
    except Exception as exc:  # noqa: BLE001 - each kind of broker has errors of its own
        return f"cannot be reached ({type(exc).__name__})"
    return ""


_publisher = _Publisher()
