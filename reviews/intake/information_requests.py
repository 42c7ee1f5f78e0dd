"""Asks the applicant for documents by a link that expires; the case comes back with them.

The link is the right to answer one request: it names no case, and is signed, so nothing secret
is kept of it.
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

from reviews.access import roles
from reviews.audit import trail
from reviews.intake import cases
from reviews.jobs import endings, start
from reviews.models import Case, CaseEvent, InformationRequest

QUEUE = "reviews.tasks.expire_requests"
DAYS = 14
MOST_FILES = 20
Status = InformationRequest.Status

_signer = Signer(salt="reviews.request")


def create(
    case: Case, *, actor: User, message: str, kinds: Sequence[str], days: int = DAYS
) -> InformationRequest:
    """Part of a decision to request information; the caller has moved the case."""
    expires = now() + timedelta(days=days)
    made = InformationRequest.objects.create(
        case=case,
        made_by=actor,
        message=message,
        kinds=list(kinds),
        expires_at=expires,
        due_at=expires,
    )
    data = {"kinds": list(kinds), "until": expires.date().isoformat()}
    trail.record(case, "information_requested", data, user=actor)
    return made


def address(request: InformationRequest) -> str:
    """The link for the applicant."""
    return settings.DESK_URL + reverse("request", args=[_signer.sign(str(request.pk))])


def find(token: str) -> InformationRequest | None:
    """The request that a link is for, whatever became of it."""
    try:
        pk = int(_signer.unsign(token))
    except (BadSignature, ValueError):
        return None
    return InformationRequest.objects.select_related("case__connection").filter(pk=pk).first()


def answer(
    request: InformationRequest, *, files: Iterable[tuple[str, File[bytes]]], text: str
) -> bool:
    """Keep what the applicant sent, and bring the case back. False where it came too late."""
    files = list(files)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.expires_at <= now() or not request.move(
            Status.ANSWERED, answer=text, answered_at=now(), due_at=None, leased_until=None
        ):
            return False
        kept = cases.attach(case, files)
        listed = [{"file": row.file_name, "sha256": row.sha256} for row in kept]
        trail.record(
            case, "information_received", {"documents": listed, "said": text},
            actor=CaseEvent.Actor.APPLICANT,
        )  # fmt: skip
        _back(case, has_documents=bool(kept))
    return True


def expire(request: InformationRequest) -> None:
    """The time is up: the case comes back without an answer."""
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=request.case_id)
        if request.move(Status.EXPIRED, due_at=None, leased_until=None):
            trail.record(case, "request_expired")
            _back(case, has_documents=False)


def withdraw(case: Case, *, actor: User) -> bool:
    """Stop waiting. The link ends; the case comes back."""
    roles.require(actor, roles.DECIDE, case)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case.pk)
        waiting = case.requests.filter(status=Status.OPEN).first()
        if waiting is None or not waiting.move(Status.WITHDRAWN, due_at=None, leased_until=None):
            return False
        trail.record(case, "request_withdrawn", user=actor)
        _back(case, has_documents=False)
    return True


def end(case: Case, *, actor: User) -> None:
    """Part of a decision that ends the review: nobody is asked any more."""
    for request in case.requests.filter(status=Status.OPEN):
        if request.move(Status.WITHDRAWN, due_at=None, leased_until=None):
            trail.record(case, "request_withdrawn", user=actor)


def _back(case: Case, *, has_documents: bool) -> None:
    """New documents are checked first, where there is an agent to check them.

    Where the checks were run again meanwhile, nobody waits any more.
    """
    if case.status != Case.Status.WAITING:
        return
    under_way = any(job.is_under_way for job in case.jobs.all())
    if has_documents and case.agent_id and not under_way:
        if case.move(Case.Status.CHECKING, **endings.NO_RECOMMENDATION, summary={}):
            start.queue(case)
    else:
        case.move(Case.Status.TO_REVIEW)
