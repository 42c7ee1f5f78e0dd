"""Asks the applicant for documents by a link that expires; the case comes back with them.

The link is the right to answer one request: it names no case. Its key is signed, so that no secret is
stored for it. What is begun by it, text and files, is kept until it is sent or the link ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import transaction
from django.utils.timezone import now

from compliance.http import counters
from compliance.languages import ENGLISH
from compliance.security.personal_fields import sealed
from reviews.access import roles
from reviews.audit import trail
from reviews.inbox import notifications
from reviews.intake import cases, draft_files, links, request_mails
from reviews.jobs import start
from reviews.jobs.endings import NO_RECOMMENDATION, NO_SUMMARY
from reviews.models import (
    Case,
    CaseEvent,
    Document,
    InformationRequest,
    Notification,
    RefusedDocument,
    SubscriptionEvent,
)
from reviews.subscriptions import announcements

QUEUE = "reviews.tasks.expire_requests"
DAYS = 14
MOST_FILES = 20
LONGEST_TEXT = 10_000
REMIND_DAYS = 3
USE_SECONDS = 600
Status = InformationRequest.Status


def create(
    case: Case,
    *,
    actor: User,
    message: str,
    kinds: Sequence[str],
    days: int = DAYS,
    email: str = "",
    remind_days: int = 0,
    language: str = ENGLISH,
    refused: Mapping[Document, str] | None = None,
) -> InformationRequest:
    """Part of a decision to request information; the caller has moved the case.

    With `email` the link is sent there, and a reminder so many days before it ends. `refused`: why
    documents of earlier answers were not accepted, for the applicant.
    """
    expires_at = now() + timedelta(days=days)
    request = InformationRequest.objects.create(
        case=case,
        made_by=actor,
        message=message,
        kinds=list(kinds),
        expires_at=expires_at,
        due_at=expires_at,
    )
    refusals = []
    for document, reason in (refused or {}).items():
        refusals.append(
            RefusedDocument.objects.create(
                request=request, document=document, reason=reason
            )
        )
    data = {"kinds": list(kinds), "until": expires_at.date().isoformat()}
    about = [request, *refusals]
    trail.record(case, "information_requested", data, user=actor, about=about)
    if email:
        request_mails.queue(
            request, address=email, remind_days=remind_days, language=language
        )
    return request


def send(
    case: Case,
    *,
    actor: User,
    email: str,
    remind_days: int = 0,
    language: str = ENGLISH,
) -> bool:
    """Send the link of the open request by e-mail. False where nothing is open.

    The caller has judged the address: see request_mails.fault_of. Raises PermissionDenied.
    """
    roles.require(actor, roles.DECIDE, case)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case.pk)
        request = case.requests.filter(status=Status.OPEN).first()
        if request is None:
            return False
        request_mails.queue(
            request, address=email, remind_days=remind_days, language=language
        )
    return True


def address(request: InformationRequest) -> str:
    """The link for the applicant."""
    return links.address(request)


def find(pk: int) -> InformationRequest | None:
    """The request, whatever its status. The caller knows that the applicant has its link."""
    rows = InformationRequest.objects.select_related("case__connection")
    return rows.filter(pk=pk).first()


def note_use(request: InformationRequest) -> None:
    """A line when somebody opens the link, at most one in USE_SECONDS."""
    name = f"request-link:{request.pk}"
    uses = counters.count(name, seconds=USE_SECONDS)
    if uses == 1:
        trail.record(request.case, "request_link_used", actor=CaseEvent.Actor.APPLICANT)


def is_open(request: InformationRequest) -> bool:
    """Whether it still takes an answer."""
    return request.status == Status.OPEN and request.expires_at > now()


def accepted_documents(case: Case) -> list[Document]:
    """What the applicant has sent by links, oldest first."""
    documents = case.documents.exclude(request=None)
    return list(documents.order_by("created_at", "id"))


def next_of(request: InformationRequest) -> InformationRequest | None:
    """The request that came after an answered one and is open: the next round.

    Only who may still use the earlier link is led to it.
    """
    if request.status != Status.ANSWERED or request.expires_at <= now():
        return None
    later = InformationRequest.objects.filter(
        case=request.case_id,
        pk__gt=request.pk,
        status=Status.OPEN,
    )
    usable = later.filter(expires_at__gt=now())
    return usable.first()


def save_draft(request: InformationRequest, *, text: str) -> bool:
    """Keep what was typed, until it is sent. False where the link has ended."""
    draft = sealed(request, "draft", text[:LONGEST_TEXT])
    rows = InformationRequest.objects.filter(pk=request.pk, status=Status.OPEN)
    count = rows.update(draft=draft)
    return count > 0


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
            draft="",
            answered_at=now(),
            due_at=None,
            leased_until=None,
        ):
            return False
        documents = []
        rows = cases.attach(case, files)
        keys = [row.pk for row in rows]
        Document.objects.filter(pk__in=keys).update(request=request)
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
        announcements.announce(case, SubscriptionEvent.ANSWERED)
        _bring_back(case, has_documents=bool(documents))
        notifications.notify(
            case, [case.analyst or request.made_by], Notification.Kind.ANSWER
        )
    return True


def expire(request: InformationRequest) -> None:
    """The time is over: the case comes back without an answer."""
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.move(Status.EXPIRED, draft="", due_at=None, leased_until=None):
            draft_files.expire_soon(request)
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
        if not request.move(Status.WITHDRAWN, draft="", due_at=None, leased_until=None):
            return False
        draft_files.expire_soon(request)
        trail.record(case, "request_withdrawn", user=actor, about=[request])
        _bring_back(case, has_documents=False)
    return True


def end(case: Case, *, actor: User | None) -> None:
    """Part of a decision that ends the review: the applicant is not asked any more."""
    open_requests = case.requests.filter(status=Status.OPEN)
    for request in open_requests:
        if request.move(Status.WITHDRAWN, draft="", due_at=None, leased_until=None):
            draft_files.expire_soon(request)
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
