"""Records which user was shown which case, document and page.

A middleware notes the requests whose answer shows such data. The notes wait in memory, and a thread
writes them every READS_FLUSH_SECONDS: one write per page view would cost more than the page. A
killed process loses the notes that were not written yet.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, close_old_connections, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.timezone import now

from compliance.security import personal_fields
from compliance.storage import outages
from reviews.models import (
    Announcement,
    Attachment,
    Case,
    Document,
    Job,
    Read,
    SecondLook,
)

log = logging.getLogger(__name__)

Respond = Callable[[HttpRequest], HttpResponseBase]
Kind = Read.Kind

# URL names of the pages that show personal data of one case.
PAGES = {
    "case-detail": Kind.CASE,
    "case-live": Kind.CASE,
    "suspicions-of-case": Kind.CASE,
    "case-peek": Kind.CASE,
    "case-application": Kind.CASE,
    "case-report": Kind.REPORT,
    "case-report-pdf": Kind.REPORT,
    "case-evidence": Kind.EVIDENCE,
    "page-image": Kind.DOCUMENT,
    "page-text": Kind.DOCUMENT,
    "document-copy": Kind.COPY,
    "document-beside": Kind.DOCUMENT,
    "job": Kind.JOB,
    "case-privacy": Kind.CASE,
    "party": Kind.PARTY,
    "second-look": Kind.LOOK,
    # It lists the cases that may be of the same subject.
    "subject-export": Kind.CASE,
    "document-beside-choose": Kind.DOCUMENT,
}
# URL names whose GET is only a warning. The POST returns the file, so the POST is recorded.
FORMS = {
    "document-original": Kind.ORIGINAL,
    "attachment": Kind.ATTACHMENT,
    # Exports are requested by a form, too.
    "subject-export": Kind.EXPORT,
}
# URL names of the forms of a case, a party or a second look. A form that is refused is answered with
# the whole page.
REFUSALS = {
    **{
        f"case-{name}": Kind.CASE
        for name in (
            "decide",
            "second",
            "reopen",
            "mark",
            "dismiss",
            "rating",
            "choose-value",
            "confirm-hit",
            "withdraw",
            "send-request",
            "checklist",
            "fields",
            "procedure",
            "notes",
            "tags",
            "hold",
            "erase",
        )
    },
    "suspicions-of-case": Kind.CASE,
    "party-merge": Kind.PARTY,
    "relation-add": Kind.PARTY,
    "relations-preview": Kind.PARTY,
    "relations-import": Kind.PARTY,
    "second-look-take": Kind.LOOK,
    "second-look-give": Kind.LOOK,
}
# URL names of the pages of the hub that show what a job was sent or has found, and their items.
HUB = {"hub-job": "hub/jobs", "hub-delivery": "hub/deliveries"}
# URL names of the lists that name people, and what is noted of them: that the list was shown, and
# whether it was searched. Which cases stood in it follows from the teams of the person.
LISTS = {
    "queue": "queue",
    "queue-rows": "queue",
    "queue-find": "queue",
    "dashboard": "dashboard",
    "inbox": "inbox",
    "documents": "documents",
    "jobs": "jobs",
    "parties": "parties",
    "look-ups": "look-ups",
    "reads": "reads",
    "privacy": "privacy",
    "privacy-due": "privacy",
    "second-looks": "second-looks",
    "suspicions": "suspicions",
    "invitations": "invitations",
    "bulk-approvals": "bulk-approvals",
    "bulk-approval": "bulk-approvals",
    "bulk-approval-new": "bulk-approvals",
    "bulk-approval-confirm": "bulk-approvals",
    # Files of cases, and the cases in a file.
    "batches": "batches",
    "batch": "batches",
    "batch-live": "batches",
    "case-import": "batches",
    "case-import-live": "batches",
    "case-import-result": "batches",
    # Trials of a policy name the cases that it would change. A quality policy names lost hits.
    "risk": "risk",
    "risk-version": "risk",
    "risk-trial": "risk",
    "risk-try": "risk",
    "risk-live": "risk",
    "decision-policy": "decision-policy",
    "decision-policy-version": "decision-policy",
    "decision-policy-trial": "decision-policy",
    "decision-policy-try": "decision-policy",
    "decision-policy-live": "decision-policy",
    "decision-policy-acknowledge": "decision-policy",
    "screening-quality": "screening-quality",
    "screening-quality-version": "screening-quality",
    "screening-quality-live": "screening-quality",
    "screening-quality-acknowledge": "screening-quality",
    # The sample of bulk approvals.
    "period-report": "period-report",
    # A refused form shows the page of the desk's privacy.
    "hold-place": "privacy",
    "hold-lift": "privacy",
    "erasure-confirm": "privacy",
    "erasure-withdraw": "privacy",
    "hub-jobs": "hub/jobs",
    "hub-deliveries": "hub/deliveries",
}
# A search that is posted; others stand encrypted in the address, in this parameter.
_POSTED_SEARCH = "queue-find"
_SEALED_WORDS = "sealed"
# The statuses of answers that show the data: 286 is a page that need not be asked for again, 409 and
# 422 are forms that were refused.
SHOWN = frozenset({200, 286, 409, 422})
# The attribute of a request with what its answer shows, where the address does not say that.
_ITEMS = "reads_items"
# URL names of the pages that show two rows of that kind: each is one read.
OF_TWO = frozenset({"document-beside"})
INTERFACE = "/api/desk/v1/"
# Searches are POST requests, because search words must not appear in an address. Their response is
# recorded as read.
_ACTS = (f"{INTERFACE}cases/", f"{INTERFACE}suspicion-reports/")
_SENT = "sent-webhooks"
SEARCHES = frozenset(f"{INTERFACE}{name}/search" for name in ("cases", "parties"))
# The same page within this time counts once: the browser requests its images in several sizes.
SAME_SECONDS = 60
# More notes wait only if the database does not respond; then the oldest are dropped.
MOST_WAITING = 10_000
# Kinds whose item begins with the id of the case.
CASES = {Kind.CASE, Kind.REPORT, Kind.EVIDENCE, Kind.EXPORT}

_waiting: deque[Read] = deque(maxlen=MOST_WAITING)
_recent: dict[tuple[int, str, str], float] = {}
_lock = threading.Lock()
_thread: threading.Thread | None = None


def record_reads(get_response: Respond) -> Respond:
    """Middleware: note what a user, or a token of that user, was shown."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in SHOWN:
            if request.method == "GET":
                _note(request, PAGES)
                _note_elsewhere(request)
                _note_list(request)
            elif request.method == "PATCH":
                _note(request, FORMS)
            elif request.method == "POST":
                is_form = response.status_code == 200
                _note(request, FORMS if is_form else REFUSALS)
                _note_list(request)
            for kind, item in getattr(request, _ITEMS, ()):
                _add(request, kind, item)
        return response

    return respond


def shown(request: HttpRequest, kind: Kind, item: str) -> None:
    """Note this item, too, if the request is answered: its address does not name it.

    The item of a case begins with the id of the case: "17/webhooks/3".
    """
    setattr(request, _ITEMS, [*getattr(request, _ITEMS, ()), (kind, item)])


def _note(request: HttpRequest, names: Mapping[str, Kind]) -> None:
    match = request.resolver_match
    if match is None:
        return
    # The interface answers a refusal with a sentence, and not with the case.
    if names is not REFUSALS and _is_answer(request):
        kind: Kind | None = Kind.INTERFACE
        items = [request.path.removeprefix(INTERFACE)]
    else:
        kind = names.get(match.url_name or "")
        items = [str(value) for value in match.kwargs.values()]
        if match.url_name not in OF_TWO:
            items = ["/".join(items)]
    if kind is None:
        return
    for item in items:
        _add(request, kind, item)


def _is_answer(request: HttpRequest) -> bool:
    """Whether it is an answer of the interface that shows data: acts return what they are about."""
    if not request.path.startswith(INTERFACE):
        return False
    is_act = request.path.startswith(_ACTS) or request.method == "PATCH"
    return request.method == "GET" or is_act or request.path in SEARCHES


def _note_elsewhere(request: HttpRequest) -> None:
    """Note pages of the hub, and pages of Django's admin about rows with personal data."""
    match = request.resolver_match
    if match is None:
        return
    name = match.url_name or ""
    if name in HUB:
        _add(request, Kind.JOB, f"{HUB[name]}/{match.kwargs['pk']}")
    table = name.removesuffix("_change")
    # The page "password_change" of the administration is of no row.
    key = match.kwargs.get("object_id")
    is_of_row = match.app_name == "admin" and table != name and key is not None
    if is_of_row and _is_personal(table):
        item = f"{key}/admin" if table == "reviews_case" else f"admin/{table}/{key}"
        _add(request, Kind.CASE, item)


def _note_list(request: HttpRequest) -> None:
    """Note that a list was shown: one note for all of its rows, without the words of a search."""
    match = request.resolver_match
    if match is None:
        return
    name = LISTS.get(match.url_name or "")
    table = (match.url_name or "").removesuffix("_changelist")
    if match.app_name == "admin" and table != match.url_name and _is_personal(table):
        name = f"admin/{table}"
    if name is None:
        return
    item = f"list/{name}"
    if match.url_name == _POSTED_SEARCH or _SEALED_WORDS in request.GET:
        item = f"{item}/search"
    _add(request, Kind.CASE, item)


@cache
def _is_personal(table: str) -> bool:
    """Whether a table, such as "reviews_case", has a column with personal data."""
    label, _, name = table.partition("_")
    model = apps.get_model(label, name)
    return any(map(personal_fields.is_personal, model._meta.get_fields()))


def _add(request: HttpRequest, kind: Kind, item: str) -> None:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
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
        # Clear the memory of recent reads when it grows too large: the worst effect is a second
        # note.
        last = _recent.get(key)
        if len(_recent) > MOST_WAITING:
            _recent.clear()
        _recent[key] = moment
    return last is not None and moment - last < SAME_SECONDS


def forget() -> None:
    """Drop the notes that are not written yet. For tests."""
    _waiting.clear()
    _recent.clear()


def flush() -> None:
    """Write the waiting notes. If the database is away, they wait for the next attempt.

    A note that the database refuses, such as of a user who was deleted meanwhile, is dropped: the others
    must not wait for it for ever.
    """
    reads: list[Read] = []
    while _waiting:
        reads.append(_waiting.popleft())
    if not reads:
        return
    try:
        _find_cases(reads)
        Read.objects.bulk_create(reads)
    except DatabaseError as exc:
        if outages.of(exc) is None:
            _write_one_by_one(reads)
            return
        log.warning("Who read what is not written yet (%s).", type(exc).__name__)
        _waiting.extendleft(reversed(reads))


def _write_one_by_one(reads: list[Read]) -> None:
    for place, read in enumerate(reads):
        try:
            with transaction.atomic():
                read.save(force_insert=True)
        except DatabaseError as exc:
            if outages.of(exc) is not None:
                _waiting.extendleft(reversed(reads[place:]))
                return
            log.exception("A note of who read what was refused by the database.")


def _find_cases(reads: list[Read]) -> None:
    """Set the case of each note, with one query per kind, or two."""
    keys_by_kind: dict[str, set[str]] = {}
    for read in reads:
        keys = keys_by_kind.setdefault(read.kind, set())
        keys.add(_key(read))
    cases: dict[tuple[str, str], int] = {}
    for kind, keys in keys_by_kind.items():
        for key, case in _cases_of(kind, keys):
            cases[kind, str(key)] = case
    for webhook, of_case in _sent_webhooks(keys_by_kind.get(Kind.INTERFACE, set())):
        cases[Kind.INTERFACE, str(webhook)] = of_case
    for read in reads:
        about = (read.kind, _key(read))
        read.case_id = cases.get(about)


def _key(read: Read) -> str:
    """The part of `item` that identifies the case or document. A page's item is
    "document/number".
    """
    head, _, rest = read.item.partition("/")
    if read.kind == Kind.INTERFACE:
        # "cases/17/notes" belongs to case 17, and the webhook that the desk sent to its case. Other
        # addresses are not mapped to a case.
        key = rest.partition("/")[0]
        if head == "cases" and key.isdigit():
            return key
        return key if head == _SENT and _is_uuid(key) else ""
    return head


def _sent_webhooks(keys: set[str]) -> list[tuple[uuid.UUID, int]]:
    """The webhooks that the desk sent among these keys, each with its case."""
    ids = [key for key in keys if _is_uuid(key)]
    if not ids:
        return []
    return list(Announcement.objects.filter(pk__in=ids).values_list("pk", "case"))


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _cases_of(kind: str, keys: set[str]) -> QuerySet[Case, tuple[object, int]]:
    rows: QuerySet[Case, tuple[object, int]]
    keys.discard("")
    if kind in CASES or kind == Kind.INTERFACE:
        # A webhook of no known case has no number.
        cases = Case.objects.filter(pk__in=filter(str.isdigit, keys))
        rows = cases.values_list("pk", "pk")
    elif kind in {Kind.DOCUMENT, Kind.COPY, Kind.ORIGINAL}:
        documents = Document.objects.filter(pk__in=keys)
        rows = documents.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.LOOK:
        looks = SecondLook.objects.filter(pk__in=keys)
        rows = looks.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.JOB:
        # Jobs of the hub have another item.
        jobs = Job.objects.filter(pk__in=keys - {"hub"})
        rows = jobs.values_list("pk", "case_id")  # type: ignore[assignment]
    elif kind == Kind.ATTACHMENT:
        files = Attachment.objects.filter(pk__in=keys)
        rows = files.values_list("pk", "note__case_id")  # type: ignore[assignment]
    else:
        rows = Case.objects.none().values_list("pk", "pk")
    return rows


def remove_old() -> int:
    """Delete notes older than READS_DAYS. Returns their number."""
    oldest = now() - timedelta(days=settings.READS_DAYS)
    count, _ = Read.objects.filter(at__lt=oldest).delete()
    return count


def _start_thread() -> None:
    global _thread
    with _lock:
        if _thread is not None and _thread.is_alive():
            return
        # Started with the first note, in each worker process, because threads do not survive a
        # fork.
        _thread = threading.Thread(target=_write_on, name="reads", daemon=True)
        _thread.start()
        atexit.register(flush)


def _write_on() -> None:
    removed_at = 0.0
    while True:
        time.sleep(settings.READS_FLUSH_SECONDS)
        # A thread outside of requests must close stale connections itself.
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
