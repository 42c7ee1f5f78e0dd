"""Is it alive, and is it fit to work?"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from compliance.storage import backend
from compliance.work import queues

# Work that has been due for this long says that no worker is there.
QUEUE_AGE = timedelta(minutes=5)
DISK_BYTES = 256 << 20


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


# What apps tell beside: a name and a function that gives `ok`, or what is wrong.
_told: dict[str, Callable[[], str]] = {}


def add(name: str, look: Callable[[], str]) -> None:
    """Have readiness tell of something outside this installation. It does not decide: to take no
    more requests would not help."""
    _told[name] = look


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 where every part holds, else 503; each part says `ok` or what is wrong."""
    outside: dict[str, str] = {}
    try:
        parts = {"database": "ok", "migrations": _migrations(), "work": _work(), "disk": _disk()}
        parts["documents"] = backend.fault() or "ok"
        if parts["migrations"] == "ok":
            outside = {name: look() for name, look in _told.items()}
    except DatabaseError:
        parts = {"database": "cannot be reached"}
    fit = all(said == "ok" for said in parts.values())
    return JsonResponse({**parts, **outside}, status=200 if fit else 503)


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} not applied" if missing else "ok"


def _work() -> str:
    stale = now() - QUEUE_AGE
    late = [queue.name for queue in queues.registered().values() if _is_late(queue, stale)]
    return f"waiting since long: {', '.join(late)}" if late else "ok"


def _is_late(queue: queues.WorkQueue, stale: datetime) -> bool:
    free = Q(leased_until__isnull=True) | Q(leased_until__lt=stale)
    rows = queue.model._default_manager.filter(free, due_at__lt=stale)
    # A row that is due over and over waits for nothing while what the queue needs is not there.
    return rows.extra(where=[queue.condition] if queue.condition else []).exists()  # noqa: S610 - our own SQL


def _disk() -> str:
    return "ok" if shutil.disk_usage(settings.VAR_DIR).free > DISK_BYTES else "nearly full"
