"""A scheduler for Celery beat that skips the sweep of a queue whose broker queue is full."""

from __future__ import annotations

from celery.beat import PersistentScheduler, ScheduleEntry
from kombu import Producer

from compliance.work import notify


class Scheduler(PersistentScheduler):
    def apply_entry(
        self, entry: ScheduleEntry, producer: Producer | None = None
    ) -> None:
        # Without a worker, sweeps would otherwise pile up in the broker.
        is_sent = producer is None or not notify.is_full(producer, entry.task or "")
        if is_sent:
            super().apply_entry(entry, producer=producer)
