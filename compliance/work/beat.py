"""Celery's beat, which adds no sweep to a queue that is full."""

from __future__ import annotations

from celery.beat import PersistentScheduler, ScheduleEntry
from kombu import Producer

from compliance.work import notify


class Scheduler(PersistentScheduler):
    def apply_entry(
        self, entry: ScheduleEntry, producer: Producer | None = None
    ) -> None:
        is_sent = producer is None or not notify.is_full(producer, entry.task or "")
        if is_sent:
            super().apply_entry(entry, producer=producer)
