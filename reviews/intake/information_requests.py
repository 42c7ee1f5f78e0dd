"""Requests for information: an applicant answers by a link that expires.

The link permits to answer one request and does not name the case. Its key is signed, so no
secret is stored for it. Text and files that the applicant has begun are stored until they are
sent or the link ends.
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
# Days for which a link works by default.
DAYS = 14
MOST_FILES = 20
LONGEST_TEXT = 10_000
REMIND_DAYS = 3
# Uses of a link within this time (seconds) are one line of the trail.
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
    """Create a request, as part of a decision. The caller has moved the case.

    With `email`, the link is sent there, and a reminder `remind_days` days before it ends.
    `refused`: documents of earlier answers that were not accepted, with reasons for the
    applicant.
    """
    # The request is due when it expires.
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
    """Send the link of the open request by e-mail. Returns False if no request is open.

    The caller has checked the address with request_mails.fault_of. Raises PermissionDenied.
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
    """The request in any status. The caller has verified the link of the applicant."""
    rows = InformationRequest.objects.select_related("case__connection")
    return rows.filter(pk=pk).first()


def note_use(request: InformationRequest) -> None:
    """Record that somebody opened the link, at most once in USE_SECONDS."""
    name = f"request-link:{request.pk}"
    uses = counters.count(name, seconds=USE_SECONDS)
    if uses == 1:
        trail.record(request.case, "request_link_used", actor=CaseEvent.Actor.APPLICANT)


def is_open(request: InformationRequest) -> bool:
    """Whether the request still accepts an answer."""
    return request.status == Status.OPEN and request.expires_at > now()


def accepted_documents(case: Case) -> list[Document]:
    """The documents that the applicant has sent by links, oldest first."""
    documents = case.documents.exclude(request=None)
    return list(documents.order_by("created_at", "id"))


def next_of(request: InformationRequest) -> InformationRequest | None:
    """The open request that follows an answered one: the next round.

    Only somebody whose earlier link has not expired is led to it.
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
    """Store the text that was typed so far. Returns False if the link has ended."""
    draft = sealed(request, "draft", text[:LONGEST_TEXT])
    rows = InformationRequest.objects.filter(
        pk=request.pk,
        status=Status.OPEN,
    )
    count = rows.update(draft=draft)
    return count > 0


def answer(
    request: InformationRequest, *, files: Iterable[tuple[str, File[bytes]]], text: str
) -> bool:
    """Store the answer of the applicant, and return the case to the desk.

    Returns False if the answer came too late.
    """
    # The files are in the store before the row of the case is locked.
    with cases.written(request.case, files) as rows, transaction.atomic():
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
        # Attach the files, and note which request they answer.
        cases.insert(rows)
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
            case, _whom_to_tell(case, request), Notification.Kind.ANSWER
        )
    return True


def expire(request: InformationRequest) -> None:
    """The link has expired: the case returns without an answer, and a person is told."""
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.move(Status.EXPIRED, draft="", due_at=None, leased_until=None):
            draft_files.expire_soon(request)
            trail.record(case, "request_expired", about=[request])
            # Somebody may have asked again meanwhile: the case waits for the later answer.
            if not case.requests.filter(status=Status.OPEN).exists():
                _bring_back(case, has_documents=False)
                notifications.notify(
                    case, _whom_to_tell(case, request), Notification.Kind.NO_ANSWER
                )


def _whom_to_tell(case: Case, request: InformationRequest) -> list[User]:
    """Who has the case, else who asked. If that person has left, all who may decide the case."""
    person = case.analyst or request.made_by
    colleagues = roles.colleagues(case, roles.DECIDE)
    if colleagues.filter(pk=person.pk).exists():
        return [person]
    return list(colleagues)


def withdraw(case: Case, *, actor: User) -> bool:
    """End all open requests and their links; the case returns.

    Returns False if no request is open. Raises PermissionDenied.
    """
    roles.require(actor, roles.DECIDE, case)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case.pk)
        if not end(case, actor=actor):
            return False
        _bring_back(case, has_documents=False)
    return True


def end(case: Case, *, actor: User | None) -> bool:
    """Withdraw the open requests. Returns False if there was none. The caller has locked the case."""
    has_ended = False
    open_requests = case.requests.filter(status=Status.OPEN)
    for request in open_requests:
        if request.move(Status.WITHDRAWN, draft="", due_at=None, leased_until=None):
            draft_files.expire_soon(request)
            trail.record(case, "request_withdrawn", user=actor, about=[request])
            has_ended = True
    return has_ended


def _bring_back(case: Case, *, has_documents: bool) -> None:
    """Move a waiting case on: new documents are checked first, if the case has an agent.

    A snooze ends: somebody has put aside a case that waited, not one that has an answer.
    """
    # If somebody ran the checks again in the meantime, the case does not wait any more.
    if case.status != Case.Status.WAITING:
        return
    is_under_way = any(job.is_under_way for job in case.jobs.all())
    if not has_documents or case.agent_id is None or is_under_way:
        case.move(Case.Status.TO_REVIEW, snoozed_until=None)
    elif case.move(
        Case.Status.CHECKING, snoozed_until=None, **NO_RECOMMENDATION, **NO_SUMMARY
    ):
        start.queue(case)
