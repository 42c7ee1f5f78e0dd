"""Celery: the tasks of the apps' tasks.py, each routed to a queue (see CELERY_TASK_ROUTES)."""

from __future__ import annotations

import os
from multiprocessing import process
from typing import Any

from celery import Celery
from celery.signals import task_prerun, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Celery closes the connections to the database before and after each task: to connect again took
# half of a job's CPU. Here Django's rule for requests holds (see below).
app.conf["CELERY_DB_REUSE_MAX"] = 1_000_000
# That of multiprocessing. Celery's pool, billiard, puts a daemon of its own in its place.
_this_process = process.current_process()


@worker_process_init.connect
def allow_children(**_: Any) -> None:
    """Documents are read in child processes (see isolation.py), and daemons may have no children."""
    process._current_process = _this_process  # type: ignore[attr-defined]


@task_prerun.connect
def close_old_connections(**_: Any) -> None:
    """A connection that was lost, or is older than CONN_MAX_AGE, is opened again for this task."""
    from django import db

    db.close_old_connections()
