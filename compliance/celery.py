"""Celery rings the bell: one task that drains a lane, one that sweeps for forgotten work."""

from __future__ import annotations

import os

from celery import Celery, shared_task

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@shared_task(name="compliance.drain")
def drain(lane: str) -> int:
    """Do what is due in one lane. Returns the number of rows done."""
    from django.db import close_old_connections

    from compliance import work

    close_old_connections()
    return work.lanes()[lane].drain()


@shared_task(name="compliance.sweep")
def sweep() -> None:
    """Ring for every lane with due rows: what a lost message or a killed worker left behind."""
    from django.db import close_old_connections

    from compliance import bell, work

    close_old_connections()
    for lane in work.lanes().values():
        if lane.is_due():
            bell.ring_now(lane.name)
