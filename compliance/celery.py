"""The Celery app. The tasks of the apps' tasks.py are routed to queues by CELERY_TASK_ROUTES."""

from __future__ import annotations

import os
import sys
from multiprocessing import process
from pathlib import Path

from celery import Celery
from celery.signals import (
    beat_init,
    task_prerun,
    worker_init,
    worker_process_init,
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
# Before it imports the tasks, Celery runs all checks of Django and drops what they say. They load
# every page: a quarter of a worker's memory. refuse_faulty_installation() runs those that matter here.
os.environ["CELERY_SKIP_CHECKS"] = "1"
_path = [*sys.path]
app = Celery("compliance")
# Celery puts the working directory first in sys.path: a folder there with the name of one of our
# packages would be imported instead. Restore the path, and add the folder of this project.
sys.path[:] = [*_path, str(Path(__file__).resolve().parent.parent)]
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("compliance.operation.heartbeats:CeleryHeartbeat")
# By default Celery closes the database connections around each task, and reconnecting took half of
# a job's CPU. Instead, Django's rule for requests applies (see close_old_connections below).
app.conf["CELERY_DB_REUSE_MAX"] = 1_000_000
# The process object of multiprocessing. Celery's pool, billiard, replaces it by a daemon.
_this_process = process.current_process()


@worker_init.connect
@beat_init.connect
def refuse_faulty_installation(**_: object) -> None:
    """Celery reports an exception of such a function and goes on, but not an exit."""
    from compliance import startup

    startup.refuse_faulty_installation()


@worker_init.connect
def limit_statements(**_: object) -> None:
    """Limit the time of statements.

    It runs before the pool starts, so that its processes inherit it.
    """
    from django.conf import settings

    from compliance.db.connections import time_limits

    time_limits.limit_statements(settings.DATABASE_WORK_SECONDS)


@worker_process_init.connect
def allow_children(**_: object) -> None:
    """Allow child processes, in which documents are read (isolation.py): daemons may have none."""
    process._current_process = _this_process  # type: ignore[attr-defined]


@task_prerun.connect
def close_old_connections(**_: object) -> None:
    """Before each task, close a connection that was lost or is older than CONN_MAX_AGE."""
    from django import db

    db.close_old_connections()
