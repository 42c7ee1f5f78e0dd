"""Asks the applicant for documents by a link that expires; the case comes back with them.

The link is the right to answer one request: it names no case. It is signed, so that no secret is
stored for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.base import File
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from compliance.http import counters
from reviews.access import roles
from reviews.audit import trail
from reviews.inbox import notifications
from reviews.intake import cases
from reviews.jobs import start
from reviews.jobs.endings import NO_RECOMMENDATION, NO_SUMMARY
from reviews.models import Case, CaseEvent, InformationRequest, Notification

QUEUE = "reviews.tasks.expire_requests"
DAYS = 14
MOST_FILES = 20
USE_SECONDS = 600
Status = InformationRequest.Status

_signer = Signer(salt="reviews.request")


def create(
    case: Case, *, actor: User, message: str, kinds: Sequence[str], days: int = DAYS
) -> InformationRequest:
    """Part of a decision to request information; the caller has moved the case."""
    expires_at = now() + timedelta(days=days)
    request = InformationRequest.objects.create(
        case=case,
        made_by=actor,
        message=message,
        kinds=list(kinds),
        expires_at=expires_at,
        due_at=expires_at,
    )
    data = {"kinds": list(kinds), "until": expires_at.date().isoformat()}
    trail.record(case, "information_requested", data, user=actor, about=[request])
    return request


def address(request: InformationRequest) -> str:
    """The link for the applicant."""
    token = _signer.sign(str(request.pk))
    path = reverse("request", args=[token])
    return f"{settings.DESK_URL}{path}"


def find(token: str) -> InformationRequest | None:
    """The request that a link is for, whatever its status."""
    try:
        pk = int(_signer.unsign(token))
    except (BadSignature, ValueError):
        return None
    rows = InformationRequest.objects.select_related("case__connection")
    return rows.filter(pk=pk).first()


def note_use(request: InformationRequest) -> None:
    """A line when somebody opens the link, at most one in USE_SECONDS."""
    name = f"request-link:{request.pk}"
    if counters.count(name, seconds=USE_SECONDS) == 1:
        trail.record(request.case, "request_link_used", actor=CaseEvent.Actor.APPLICANT)


def is_open_link(path: str) -> bool:
    """Whether this is the path of a link that still takes an answer."""
    token = path.removeprefix("/requests/").rstrip("/")
    request = find(token)
    if request is None or request.status != Status.OPEN:
        return False
    return request.expires_at > now()


def answer(
    request: InformationRequest, *, files: Iterable[tuple[str, File[bytes]]], text: str
) -> bool:
    """Store what the applicant sent, and bring the case back. False where it came too late."""
    files = list(files)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.expires_at <= now():
            return False
        if not request.move(
            Status.ANSWERED,
            answer=text,
            answered_at=now(),
            due_at=None,
            leased_until=None,
        ):
            return False
        documents = []
        rows = cases.attach(case, files)
        for document in rows:
            documents.append({"file": document.file_name, "sha256": document.sha256})
        data = {"documents": documents, "said": text}
        trail.record(
            case,
            "information_received",
            data,
            actor=CaseEvent.Actor.APPLICANT,
            about=[request, *rows],
        )
        _bring_back(case, has_documents=bool(documents))
        notifications.notify(
            case, [case.analyst or request.made_by], Notification.Kind.ANSWER
        )
    return True


def expire(request: InformationRequest) -> None:
    """The time is over: the case comes back without an answer."""
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.move(Status.EXPIRED, due_at=None, leased_until=None):
            trail.record(case, "request_expired", about=[request])
            _bring_back(case, has_documents=False)


def withdraw(case: Case, *, actor: User) -> bool:
    """Stop waiting. The link ends; the case comes back. False where nothing was requested."""
    roles.require(actor, roles.DECIDE, case)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case.pk)
        request = case.requests.filter(status=Status.OPEN).first()
        if request is None:
            return False
        if not request.move(Status.WITHDRAWN, due_at=None, leased_until=None):
            return False
        trail.record(case, "request_withdrawn", user=actor, about=[request])
        _bring_back(case, has_documents=False)
    return True


def end(case: Case, *, actor: User) -> None:
    """Part of a decision that ends the review: the applicant is not asked any more."""
    open_requests = case.requests.filter(status=Status.OPEN)
    for request in open_requests:
        if request.move(Status.WITHDRAWN, due_at=None, leased_until=None):
            trail.record(case, "request_withdrawn", user=actor, about=[request])


def _bring_back(case: Case, *, has_documents: bool) -> None:
    """New documents are checked first, where there is an agent to check them."""
    # If the checks were run again meanwhile, the case does not wait any more.
    if case.status != Case.Status.WAITING:
        return
    is_under_way = any(job.is_under_way for job in case.jobs.all())
    if not has_documents or case.agent_id is None or is_under_way:
        case.move(Case.Status.TO_REVIEW)
    elif case.move(Case.Status.CHECKING, **NO_RECOMMENDATION, **NO_SUMMARY):
        start.queue(case)
