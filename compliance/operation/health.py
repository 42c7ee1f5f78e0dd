"""Health checks for load balancers and monitoring: `live` (running) and `ready` (able to work)."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from compliance.db import clock, newer_schema
from compliance.db.connections import time_limits
from compliance.http import unavailable
from compliance.operation import heartbeats, queue_figures, side_by_side
from compliance.operation.side_by_side import Question
from compliance.scanning import scanner
from compliance.storage import backend, outages
from compliance.work import notify, queues, sandbox

# Work that has been due for this long is late.
QUEUE_AGE = timedelta(minutes=5)
# In this many slots of five minutes, the current one included, a queue that works has ended a row.
PROGRESS_SLOTS = 2
# Less free space counts as nearly full: one case may have 160 MiB of documents.
DISK_BYTES = 256 << 20
# What the temporary folder must take. It may be small: a limit of free space would not fit all.
TRIAL_BYTES = 64 << 10
# Seconds for each answer of the database: a monitor stops waiting, and would learn nothing.
ANSWER_SECONDS = side_by_side.SECONDS
# Said of the document store if only the database knows whether it has lost files, and is away.
EMPTY = "is empty: the database does not say whether files were stored in it"
# Synchronised clocks differ by less. Authenticator codes fail from 30 seconds on, webhooks from
# WEBHOOK_TOLERANCE_SECONDS on.
SKEW_SECONDS = 5


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


# Checks that apps add: name → function that returns `ok` or a fault.
_outside_checks: dict[str, Callable[[], str]] = {}


def add(name: str, check: Callable[[], str]) -> None:
    """Add the state of something outside this installation.

    It does not change the status: taking this installation out of service would not help.
    """
    _outside_checks[name] = check


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 if every required part is `ok`, else 503. Each part says what is wrong.

    `?exclude=workers`, may be repeated: parts that do not change the status.
    """
    needed, outside = _recent.parts()
    excluded = request.GET.getlist("exclude")
    faults = {name for name, state in needed.items() if state != "ok"}
    status = 503 if faults.difference(excluded) else 200
    return JsonResponse({**needed, **outside}, status=status)


class _Recent:
    """The states that this process found last.

    Anybody may ask, as often as they like, and each check reads many rows and writes one. So
    answers within READY_SECONDS share one check.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: tuple[dict[str, str], dict[str, str]] | None = None
        self._found_at = 0.0  # in seconds of the steady clock

    def parts(self) -> tuple[dict[str, str], dict[str, str]]:
        """The required parts, and the others."""
        with self._lock:
            age = clock.steady() - self._found_at
            if self._parts is None or age >= settings.READY_SECONDS:
                # They are answered while this thread asks the database.
                for question in [
                    *_needed_questions().values(),
                    *_outside_questions().values(),
                ]:
                    question.ask()
                with time_limits.answer_within(ANSWER_SECONDS):
                    needed = _needed_parts()
                    self._parts = needed, _outside_parts(needed)
                self._found_at = clock.steady()
            return self._parts


_recent = _Recent()


def _needed_parts() -> dict[str, str]:
    """Required parts: without them requests fail, or requested work is not done."""
    try:
        parts = {"database": "ok", "migrations": _migrations()}
    except DatabaseError as exc:
        parts = {"database": fault_of(exc)}
    # Before the migrations are applied, tables may be missing.
    if parts.get("migrations") == "ok":
        parts["database"] = _state(_write)
        parts["work"] = _state(work)
        parts["workers"] = _state(workers)
        if settings.CELERY_BROKER_URL:
            parts["sweep"] = _state(sweep)
    for name, question in _needed_questions().items():
        parts[name] = question.answer()
    if parts["documents"] == EMPTY:
        parts["documents"] = _empty_store()
    return parts


def _outside_parts(needed: Mapping[str, str]) -> dict[str, str]:
    """Parts that do not change the status."""
    parts = {}
    for name, question in _outside_questions().items():
        parts[name] = question.answer()
    if needed.get("migrations") == "ok":
        checks = {"clocks": clocks, "backlog": backlog, **_outside_checks}
        for name, check in checks.items():
            parts[name] = _state(check)
    return parts


_DATABASE_FAULTS = {
    unavailable.FULL: "is full: it cannot be written",
    unavailable.READ_ONLY: "can only be read",
    unavailable.NO_DATABASE: "cannot be reached",
    unavailable.TOO_SLOW: "is too slow",
}


def _state(check: Callable[[], str]) -> str:
    try:
        return check()
    except DatabaseError as exc:
        return fault_of(exc)


def fault_of(error: DatabaseError) -> str:
    """What is wrong with the database, as the end of a sentence."""
    outage = unavailable.outage_of(error)
    if outage is None:
        return "cannot be used"
    return _DATABASE_FAULTS[outage]


def _write() -> str:
    """Write a row: a database may answer queries and yet refuse writes."""
    heartbeats.write(heartbeats.Kind.HEALTH, f"health {heartbeats.machine()}")
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    missing = executor.migration_plan(targets)
    if missing:
        return f"{len(missing)} not applied"
    if newest := newer_schema.WATCH.newest():
        return f"a newer version has applied {newest}"
    return "ok"


def work() -> str:
    """Queues where work is late, no row is in work and none has ended lately: nobody works there.

    A queue that is only long keeps the installation in service. One account with many documents
    must not take it away from all others.
    """
    rates = queue_figures.rates(PROGRESS_SLOTS)
    names = []
    for queue in _late_queues():
        in_work = queue.model._default_manager.filter(queue_figures.IS_LEASED)
        if queue.name not in rates and not in_work.exists():
            names.append(queue.name)
    if names:
        return f"nobody works on: {', '.join(names)}"
    return "ok"


def backlog() -> str:
    """Queues whose oldest work is late, whether or not somebody works there."""
    parts = []
    for queue in _late_queues():
        oldest = max(figures.oldest_seconds for figures in queue_figures.of(queue))
        parts.append(f"{queue.name} ({int(oldest // 60)} min)")
    if parts:
        return f"late: {', '.join(parts)}"
    return "ok"


def _late_queues() -> list[queues.WorkQueue]:
    return [queue for queue in queues.registered().values() if _is_late(queue)]


def _is_late(queue: queues.WorkQueue) -> bool:
    limit = Now() - QUEUE_AGE
    is_free = Q(leased_until__isnull=True) | Q(leased_until__lt=limit)
    return queue_figures.due_rows(queue).filter(is_free, due_at__lt=limit).exists()


def workers() -> str:
    served: set[str] = set()
    fresh = heartbeats.fresh(heartbeats.Kind.WORKER)
    for names in fresh.values_list("queues", flat=True):
        served.update(names.split(","))
    missing = heartbeats.broker_queues() - served
    if missing:
        return f"no worker for: {', '.join(sorted(missing))}"
    return "ok"


def sweep() -> str:
    """With a broker, only the sweep finds work that becomes due by time alone."""
    limit = heartbeats.FRESH + timedelta(seconds=2 * settings.SWEEP_SECONDS)
    if heartbeats.fresh(heartbeats.Kind.SWEEP, limit).exists():
        return "ok"
    return "does not run: beat, or the worker for its queue, has stopped"


def _documents() -> str:
    fault = backend.fault_by_itself()
    if fault is None:
        return EMPTY
    return fault or "ok"


def _empty_store() -> str:
    """An empty store has lost its files, or is new: the database knows."""
    try:
        return backend.fault() or "ok"
    except DatabaseError:
        return EMPTY


def _broker() -> str:
    return notify.broker_fault() or "ok"


def _disk() -> str:
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free
    except OSError as exc:
        # For example, a network disk that is not mounted.
        return f"cannot be read ({type(exc).__name__})"
    if free <= DISK_BYTES:
        return "nearly full"
    return temporary_fault() or "ok"


def temporary_fault() -> str:
    """Why the temporary folder takes no files; empty if it does. Requests that bring files need it."""
    try:
        with tempfile.TemporaryFile() as trial:
            trial.write(bytes(TRIAL_BYTES))
    except OSError as exc:
        return f"the temporary folder takes no files ({exc.strerror})"
    return ""


def has_shared_cache() -> bool:
    return "redis" in settings.CACHES["default"]["BACKEND"]


def shared_cache() -> str:
    """Without the cache requests are served, but each process counts its limits separately."""
    try:
        # A Redis that is full, or a replica, answers queries and yet refuses writes.
        cache.set("health", 1, timeout=60)
    except Exception as exc:  # noqa: BLE001 - each kind of cache has errors of its own
        is_away = not outages.is_refused_by_redis(exc)
        words = "cannot be reached" if is_away else "takes no values"
        return f"{words} ({type(exc).__name__})"
    return "ok"


# Each has its own time, and they are asked side by side.
_DISK = Question(_disk)
_DOCUMENTS = Question(_documents)
_BROKER = Question(_broker)
_SANDBOX = Question(sandbox.state)
_SCANNER = Question(scanner.state)
_CACHE = Question(shared_cache)


def _needed_questions() -> dict[str, Question]:
    questions = {"disk": _DISK, "documents": _DOCUMENTS}
    if settings.CELERY_BROKER_URL:
        questions["broker"] = _BROKER
    return questions


def _outside_questions() -> dict[str, Question]:
    questions = {"sandbox": _SANDBOX, "scanner": _SCANNER}
    if has_shared_cache():
        questions["cache"] = _CACHE
    return questions


def clocks() -> str:
    """Clocks matter for codes and signed timestamps; work does not depend on them."""
    faults = []
    own = clock.skew().total_seconds()
    if abs(own) > SKEW_SECONDS:
        faults.append(f"this machine is {_difference(own)} the database")
    fresh = heartbeats.fresh(heartbeats.Kind.WORKER)
    for seconds in fresh.values_list("skew_seconds", flat=True):
        if abs(seconds) > SKEW_SECONDS:
            faults.append(f"a worker is {_difference(seconds)} the database")
    return "; ".join(faults) or "ok"


def _difference(seconds: float) -> str:
    return f"{abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'}"
