"""Celery: the tasks of the apps' tasks.py, each routed to a queue (see CELERY_TASK_ROUTES)."""

from __future__ import annotations

import os
import sys
from multiprocessing import process
from pathlib import Path

from celery import Celery
from celery.signals import task_prerun, worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
_path = [*sys.path]
app = Celery("compliance")
# Celery puts the folder that a command is started in before all others: a folder there that has the
# name of one of our packages would be imported in its place. Instead, ours are found where this one is.
sys.path[:] = [*_path, str(Path(__file__).resolve().parent.parent)]
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("compliance.operation.heartbeats:CeleryHeartbeat")
# By default Celery closes the database connections around each task, and to connect again took half
# of a job's CPU. Instead, Django's rule for requests holds (see close_old_connections below).
app.conf["CELERY_DB_REUSE_MAX"] = 1_000_000
# multiprocessing's own. Celery's pool, billiard, replaces it by a daemon.
_this_process = process.current_process()


@worker_init.connect
def limit_statements(**_: object) -> None:
    """Before the pool starts, so that its processes have the limit, too."""
    from django.conf import settings

    from compliance.db import connection_settings

    connection_settings.limit_statements(settings.DATABASE_WORK_SECONDS)


@worker_process_init.connect
def allow_children(**_: object) -> None:
    """Documents are read in child processes (see isolation.py), and daemons may have no children."""
    process._current_process = _this_process  # type: ignore[attr-defined]


@task_prerun.connect
def close_old_connections(**_: object) -> None:
    """Before a task: close a connection that was lost, or is older than CONN_MAX_AGE."""
    from django import db

    db.close_old_connections()
