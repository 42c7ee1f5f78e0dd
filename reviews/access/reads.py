"""A record of who was shown which case, document and page.

A middleware notes what was answered with 200. Notes wait in memory, and a thread writes them once a
second: a write for each page that is looked at would cost more than the page. A process that is killed
loses the notes of that second.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.timezone import now

from reviews.models import Attachment, Case, Document, Job, Read, SecondLook

log = logging.getLogger(__name__)

Respond = Callable[[HttpRequest], HttpResponseBase]
Kind = Read.Kind

# The pages that show personal data of one case, by their names.
PAGES = {
    "case-detail": Kind.CASE,
    "case-peek": Kind.CASE,
    "case-application": Kind.CASE,
    "case-report": Kind.REPORT,
    "case-report-pdf": Kind.REPORT,
    "case-evidence": Kind.EVIDENCE,
    "page-image": Kind.DOCUMENT,
    "page-text": Kind.DOCUMENT,
    "document-copy": Kind.COPY,
    "job": Kind.JOB,
    "case-privacy": Kind.CASE,
    "party": Kind.PARTY,
    "second-look": Kind.LOOK,
}
# Their page is a warning. The file itself is the answer to a form.
FORMS = {
    "document-original": Kind.ORIGINAL,
    "attachment": Kind.ATTACHMENT,
    # Exports are taken by a form, too.
    "subject-export": Kind.EXPORT,
}
INTERFACE = "/api/desk/v1/"
# What is sent is a search, and its words may be in no address. The answer is what is read.
SEARCHES = frozenset(f"{INTERFACE}{name}/search" for name in ("cases", "parties"))
# The same page, shown again within this time, is one note: images are asked for in several sizes.
SAME_SECONDS = 60
# More notes than this wait only where the database does not answer.
MOST_WAITING = 10_000
CASES = {Kind.CASE, Kind.REPORT, Kind.EVIDENCE, Kind.EXPORT}

_waiting: deque[Read] = deque(maxlen=MOST_WAITING)
_recent: dict[tuple[int, str, str], float] = {}
_lock = threading.Lock()
_thread: threading.Thread | None = None


def record_reads(get_response: Respond) -> Respond:
    """Middleware: note what a person, or a token in their name, was shown."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code == 200:
            if request.method == "GET":
                _note(request, PAGES)
            elif request.method == "POST":
                _note(request, FORMS)
        return response

    return respond


def _note(request: HttpRequest, names: Mapping[str, Kind]) -> None:
    match = request.resolver_match
    if match is None:
        return
    is_search = request.path in SEARCHES
    is_get = request.method == "GET" and request.path.startswith(INTERFACE)
    if is_get or is_search:
        kind: Kind | None = Kind.INTERFACE
        item = request.path.removeprefix(INTERFACE)
    else:
        kind = names.get(match.url_name or "")
        item = "/".join(str(value) for value in match.kwargs.values())
    user = getattr(request, "user", None)
    if kind is None or user is None or not user.is_authenticated:
        return
    if _is_repeated(user.pk, kind, item):
        return
    read = Read(
        user_id=user.pk,
        by=user.get_username(),
        kind=kind,
        item=item[:200],
        at=now(),
    )
    _waiting.append(read)
    if settings.READS_FLUSH_SECONDS:
        _start_thread()


def _is_repeated(user_id: int, kind: Kind, item: str) -> bool:
    moment = time.monotonic()
    key = (user_id, kind.value, item)
    with _lock:
        last = _recent.get(key)
        if len(_recent) > MOST_WAITING:
            _recent.clear()
        _recent[key] = moment
    return last is not None and moment - last < SAME_SECONDS


def forget() -> None:
    """Drop what is not written yet: of tests that have ended."""
    _waiting.clear()
    _recent.clear()


def flush() -> None:
    """Write what waits. What cannot be written waits on."""
    reads: list[Read] = []
    while _waiting:
        reads.append(_waiting.popleft())
    if not reads:
        return
    try:
        _find_cases(reads)
        Read.objects.bulk_create(reads)
    except DatabaseError as exc:
        log.warning("Who read what is not written yet (%s).", type(exc).__name__)
        _waiting.extendleft(reversed(reads))


def _find_cases(reads: list[Read]) -> None:
    """Fill in the case of each, with one query for each kind."""
    keys_by_kind: dict[str, set[str]] = {}
    for read in reads:
        keys = keys_by_kind.setdefault(read.kind, set())
        keys.add(_key(read))
    cases: dict[tuple[str, str], int] = {}
    for kind, keys in keys_by_kind.items():
        for key, case in _cases_of(kind, keys):
            cases[kind, str(key)] = case
    for read in reads:
        about = (read.kind, _key(read))
        read.case_id = cases.get(about)


def _key(read: Read) -> str:
    """A page of a document is "document/number"."""
    head, _, rest = read.item.partition("/")
    if read.kind == Kind.INTERFACE:
        # "cases/17/notes" is about case 17; what it names by another key is about no case here.
        number = rest.partition("/")[0]
        if head == "cases" and number.isdigit():
            return number
        return ""
    return head


def _cases_of(kind: str, keys: set[str]) -> QuerySet[Case, tuple[object, int]]:
    rows: QuerySet[Case, tuple[object, int]]
    keys.discard("")
    if kind in CASES or kind == Kind.INTERFACE:
        cases = Case.objects.filter(pk__in=keys)
        rows = cases.values_list("pk", "pk")
    elif kind in {Kind.DOCUMENT, Kind.COPY, Kind.ORIGINAL}:
        documents = Document.objects.filter(pk__in=keys)
        rows = documents.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.LOOK:
        looks = SecondLook.objects.filter(pk__in=keys)
        rows = looks.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.JOB:
        jobs = Job.objects.filter(pk__in=keys)
        rows = jobs.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.ATTACHMENT:
        files = Attachment.objects.filter(pk__in=keys)
        rows = files.values_list("pk", "note__case_id")  # type: ignore[assignment]
    else:
        rows = Case.objects.none().values_list("pk", "pk")
    return rows


def remove_old() -> int:
    """Delete the notes that are older than READS_DAYS. Returns how many there were."""
    oldest = now() - timedelta(days=settings.READS_DAYS)
    count, _ = Read.objects.filter(at__lt=oldest).delete()
    return count


def _start_thread() -> None:
    global _thread
    with _lock:
        if _thread is not None and _thread.is_alive():
            return
        _thread = threading.Thread(target=_write_on, name="reads", daemon=True)
        _thread.start()
        atexit.register(flush)


def _write_on() -> None:
    removed_at = 0.0
    while True:
        time.sleep(settings.READS_FLUSH_SECONDS)
        close_old_connections()
        flush()
        if time.monotonic() - removed_at > 3600 or not removed_at:
            removed_at = time.monotonic()
            _remove_quietly()


def _remove_quietly() -> None:
    try:
        remove_old()
    except DatabaseError as exc:
        log.warning("Old notes of who read what stay (%s).", type(exc).__name__)
