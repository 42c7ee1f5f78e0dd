"""Celery rings the bell: one task that calls for lanes, one that sweeps for forgotten work."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, shared_task
from celery.signals import worker_process_shutdown, worker_shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.Task.Request = "compliance.rings:Ring"  # by name: only a worker needs to load it


@shared_task(name="compliance.drain")
def drain(lanes: list[str]) -> None:
    """Have what is due in these lanes done, by the threads of this worker."""
    from compliance import worker

    for lane in lanes:
        worker.crews.call(lane)


@worker_shutdown.connect
@worker_process_shutdown.connect
def end(**_: Any) -> None:
    from compliance import worker

    worker.crews.end()


@shared_task(name="compliance.sweep")
def sweep() -> None:
    """Ring for every lane with due rows: what a lost message or a killed worker left behind."""
    from django.db import close_old_connections

    from compliance import bell, orphans, work

    close_old_connections()
    orphans.start_if_due()
    for name in work.due(list(work.lanes().values())):
        bell.ring_now(name)
