"""Wake the workers of a queue. A wake-up that is lost costs time, never work: workers look, too.

With a broker a wake-up is a message for the task that drains the queue, which any Celery worker may
take. Without one it goes to the worker of this machine (see pipe.py), or to the threads of this
process, where it is the worker.
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

from compliance.work import pipe
from compliance.work.timing import COALESCE_SECONDS

log = logging.getLogger(__name__)

_subscribers: dict[str, Callable[[], None]] = {}


def after_commit(queue: str) -> None:
    """Wake the workers once the current transaction has committed; at once if there is none."""
    transaction.on_commit(lambda: at_once(queue))


def at_once(queue: str) -> None:
    """Wake the workers now. Never waits and never fails."""
    wake = _subscribers.get(queue)
    if wake is not None:
        wake()
    if settings.CELERY_BROKER_URL:
        _publisher.add(queue)
    elif wake is None:
        pipe.write(queue)


def subscribe(queue: str, wake: Callable[[], None]) -> None:
    """Have `wake` called for each wake-up of the queue in this process: its threads do the work."""
    _subscribers[queue] = wake


def unsubscribe(queue: str) -> None:
    _subscribers.pop(queue, None)


class _Publisher:
    """Publishes from its own thread, so that no request waits for a broker that is away."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._wanted: set[str] = set()
        self._next: dict[str, float] = {}  # of each queue: when the next message may be sent
        self._thread: threading.Thread | None = None

    def add(self, queue: str) -> None:
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="notify", daemon=True)
                self._thread.start()
            if queue not in self._wanted:
                self._wanted.add(queue)
                self._changed.notify()

    def _run(self) -> None:
        while True:
            for queue in self._take():
                _publish(queue)

    def _take(self) -> list[str]:
        """Wait for queues whose time has come."""
        with self._changed:
            while True:
                moment = time.monotonic()
                due = [queue for queue in self._wanted if self._next.get(queue, 0.0) <= moment]
                if due:
                    self._wanted.difference_update(due)
                    self._next.update(dict.fromkeys(due, moment + COALESCE_SECONDS))
                    return due
                soonest = min((self._next[queue] for queue in self._wanted), default=math.inf)
                self._changed.wait(soonest - moment if self._wanted else None)


def _publish(task: str) -> None:
    from compliance.celery import app  # here: who needs no broker loads no Celery

    try:
        app.send_task(task, retry=False, expires=60)
    except (OperationalError, KombuError, OSError) as exc:
        # The sweep finds the rows; the broker's absence is worth one line, not a failed request.
        log.warning(
            "The broker could not be reached (%s); the sweep will notify.", type(exc).__name__
        )


_publisher = _Publisher()
