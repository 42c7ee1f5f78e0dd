"""Notifies the workers of a queue. A notification may be lost: workers also poll for due rows.

With a broker it is a message for the Celery task that drains the queue, and any Celery worker may
take it. Without a broker it goes to the worker on this machine (see pipe.py), or directly to its
threads if this process is the worker.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from kombu import Producer, Queue
from kombu.exceptions import KombuError, OperationalError

from compliance.storage import outages
from compliance.work import pipe
from compliance.work.timing import COALESCE_SECONDS

log = logging.getLogger(__name__)

# The most messages that wait in one queue of the broker. A worker takes thousands a minute.
MAX_WAITING = 1000
# Seconds that broker_fault() waits for each answer: a monitor waits for all of them.
TRIAL_SECONDS = 1.0

# Queue → the function that wakes its threads in this process.
_subscribers: dict[str, Callable[[], None]] = {}


def after_commit(queue: str) -> None:
    """Notify the workers once the current transaction has committed; at once if there is none."""
    transaction.on_commit(lambda: at_once(queue))


def at_once(queue: str) -> None:
    """Notify the workers now. Never blocks and never raises."""
    wake = _subscribers.get(queue)
    # The embedded worker's own threads are called directly.
    if wake is not None:
        wake()
    # With a broker, any worker on any machine may take the message.
    if settings.CELERY_BROKER_URL:
        _publisher.add(queue)
    elif wake is None:
        pipe.write(queue)


def subscribe(queue: str, wake: Callable[[], None]) -> None:
    """Call `wake` for each notification of the queue in this process, whose threads do the work."""
    _subscribers[queue] = wake


def unsubscribe(queue: str) -> None:
    _subscribers.pop(queue, None)


class _Publisher:
    """Publishes from its own thread, so that no request waits for an unavailable broker."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queues: set[str] = set()  # queues that wait for a message
        # Queue → earliest time.monotonic() of its next message.
        self._next: dict[str, float] = {}
        self._thread: threading.Thread | None = None

    def add(self, queue: str) -> None:
        with self._changed:
            # Start the thread at first use: a thread does not survive the fork of a server process.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="notify", daemon=True
                )
                self._thread.start()
            # Coalesce: notifications while a message is waiting are covered by that message.
            if queue not in self._queues:
                self._queues.add(queue)
                self._changed.notify()

    def _run(self) -> None:
        while True:
            _publish(self._wait())

    def _wait(self) -> str:
        """Wait until the message of some queue may be sent. Returns the name of the queue."""
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
                # The wait ends early if add() is called: that queue may be due sooner.
                self._changed.wait(wait)

    def _soonest(self) -> str | None:
        """The queue whose message may be sent first."""
        return min(
            self._queues, key=lambda queue: self._next.get(queue, 0.0), default=None
        )


def _publish(task: str) -> None:
    # Imported here, so that Celery is not loaded without a broker.
    from compliance.celery import app

    try:
        with app.producer_or_acquire() as producer:
            # A full queue needs no message: any waiting message makes a worker look for all due
            # rows.
            if not is_full(producer, task):
                # No retry: the periodic sweep sends the same message.
                app.send_task(task, retry=False, producer=producer)
    except (OperationalError, KombuError, OSError) as exc:
        # An unavailable broker must not fail a request: log it.
        log.warning(
            "The broker could not be reached (%s); the sweep will notify.",
            type(exc).__name__,
        )


def is_full(producer: Any, task: str) -> bool:
    """Whether the broker's queue of the task already holds MAX_WAITING messages.

    Otherwise messages would fill the broker while no worker runs. An expiry time is no solution: a
    worker whose clock is ahead of the sender's would drop every message.
    """
    route = settings.CELERY_TASK_ROUTES.get(task, {})
    queue = route.get("queue", settings.CELERY_TASK_DEFAULT_QUEUE)
    try:
        waiting: int = producer.channel.queue_declare(queue=queue).message_count
    except Exception:  # noqa: BLE001 - a channel that has lost its connection raises AttributeError
        # Sending the message reconnects, or reports the error. Beat would end with this one.
        return False
    return waiting >= MAX_WAITING


def broker_fault() -> str:
    """Why the broker takes no messages now; empty if it does.

    It sends a message to a queue of its own and removes it: a Redis that is full, or a replica,
    answers queries and takes no message.
    """
    from compliance.celery import app

    limits = {
        "socket_connect_timeout": TRIAL_SECONDS,
        "socket_timeout": TRIAL_SECONDS,
    }
    name = f"trial.{uuid.uuid4()}"
    try:
        with app.connection_for_write(transport_options=limits) as connection:
            channel: Any = connection.channel()
            Queue(name, durable=False, auto_delete=True, channel=channel).declare()
            Producer(channel).publish("", routing_key=name)
            channel.queue_purge(name)
    except Exception as exc:  # noqa: BLE001 - each kind of broker has its own errors
        is_away = not outages.is_refused_by_redis(exc)
        words = "cannot be reached" if is_away else "takes no messages"
        return f"{words} ({type(exc).__name__})"
    return ""


_publisher = _Publisher()
