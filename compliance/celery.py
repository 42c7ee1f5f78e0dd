"""Celery: the tasks of the apps' tasks.py, each routed to a queue (see CELERY_TASK_ROUTES)."""

from __future__ import annotations

import os
from multiprocessing import process
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


# That of multiprocessing. Celery's pool, billiard, puts a daemon of its own in its place.
_this_process = process.current_process()


@worker_process_init.connect
def allow_children(**_: Any) -> None:
    """Documents are read in child processes (see isolation.py), and daemons may have no children."""
    process._current_process = _this_process  # type: ignore[attr-defined]
