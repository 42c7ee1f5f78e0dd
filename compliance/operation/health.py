"""Health for load balancers and monitoring: `live` (it runs) and `ready` (it can work)."""

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

from compliance.scanning import scanner
from compliance.storage import backend
from compliance.work import queues, sandbox

# Work that has been due for this long shows that no worker runs.
QUEUE_AGE = timedelta(minutes=5)
# Less room than this is nearly full: a case may bring 160 MiB of documents.
DISK_BYTES = 256 << 20


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


# Checks that apps add, by name. Each returns `ok` or what is wrong.
_outside_checks: dict[str, Callable[[], str]] = {}


def add(name: str, check: Callable[[], str]) -> None:
    """Show the state of something outside this installation as well.

    It does not change the status: to send no more requests to this installation would not help.
    """
    _outside_checks[name] = check


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 where every part is `ok`, else 503. Each part says what is wrong."""
    # What does not change the status.
    outside = {"sandbox": sandbox.state(), "scanner": scanner.state()}
    try:
        parts = {
            "database": "ok",
            "migrations": _migrations(),
            "work": _work(),
            "disk": _disk(),
            "documents": backend.fault() or "ok",
        }
        # Their tables may be missing before the migrations.
        if parts["migrations"] == "ok":
            for name, check in _outside_checks.items():
                outside[name] = check()
    except DatabaseError:
        parts = {"database": "cannot be reached"}
    is_ready = set(parts.values()) == {"ok"}
    status = 200 if is_ready else 503
    return JsonResponse({**parts, **outside}, status=status)


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    missing = executor.migration_plan(targets)
    if missing:
        return f"{len(missing)} not applied"
    return "ok"


def _work() -> str:
    limit = now() - QUEUE_AGE
    late = []
    for queue in queues.registered().values():
        if _is_late(queue, limit):
            late.append(queue.name)
    if late:
        return f"waiting since long: {', '.join(late)}"
    return "ok"


def _is_late(queue: queues.WorkQueue, limit: datetime) -> bool:
    is_free = Q(leased_until__isnull=True) | Q(leased_until__lt=limit)
    rows = queue.model._default_manager.filter(is_free, due_at__lt=limit)
    # Rows that do not meet the queue's condition may be due for long: nobody is to work them.
    if queue.condition:
        rows = rows.extra(where=[queue.condition])  # noqa: S610 - our own SQL
    return rows.exists()


def _disk() -> str:
    free = shutil.disk_usage(settings.VAR_DIR).free
    if free > DISK_BYTES:
        return "ok"
    return "nearly full"
