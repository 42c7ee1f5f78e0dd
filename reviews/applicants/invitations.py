"""Invitations: links by which an applicant opens one case. The link itself is the permission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.base import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from compliance.http import numbers, references
from compliance.languages import ENGLISH
from compliance.security.data_map import ERASED
from compliance.security.personal_fields import sealed
from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.intake import cases, draft_files, request_mails
from reviews.intake.parties.rows import ROWS
from reviews.models import Agent, Case, CaseEvent, Connection, Invitation

QUEUE = "reviews.tasks.expire_invitations"
DAYS = 14
MOST_DAYS = 90
# So long the inbox of its maker names an invitation that led to no case.
NAMED_FOR = timedelta(days=14)
LONGEST_DRAFT = 200_000  # characters, all fields together
Status = Invitation.Status


class _EndedError(Exception):
    """The link ended while the case was opened."""


class ReferenceTakenError(Exception):
    """A case or an open invitation of this connection already has that reference."""


@transaction.atomic
def create(
    agent: Agent,
    *,
    actor: User,
    message: str = "",
    reference: str = "",
    days: int = DAYS,
    email: str = "",
    language: str = ENGLISH,
) -> Invitation:
    """Create an invitation, and mail its link if `email` is set.

    The caller has validated the address. Raises PermissionDenied, ReferenceTakenError, and
    UnfitReferenceError if the reference is not allowed.
    """
    roles.require_agent(actor, agent)
    # The reference will be that of the case, so its rules apply now.
    if not references.fits(reference):
        raise cases.UnfitReferenceError(references.REFUSAL)
    if reference:
        # Locked, so that of two invitations with one reference at once the second is refused.
        Connection.objects.select_for_update().get(pk=agent.connection_id)
        if _is_taken(agent, reference):
            raise ReferenceTakenError(reference)
    expires_at = now() + timedelta(days=days)
    # due_at: when its task ends the link.
    invitation = Invitation.objects.create(
        agent=agent,
        made_by=actor,
        message=message,
        reference=reference,
        expires_at=expires_at,
        due_at=expires_at,
    )
    data = {"agent": agent.name, "invitation": invitation.pk}
    trail.record(None, "invitation_made", data, user=actor, about=[invitation])
    if email:
        request_mails.queue_invitation(invitation, address=email, language=language)
    return invitation


def _is_taken(agent: Agent, reference: str) -> bool:
    same = Case.objects.filter(
        connection=agent.connection_id,
        reference=reference,
    )
    # Another open link would open a case with the same reference later.
    waiting = Invitation.objects.filter(
        agent__connection=agent.connection_id,
        reference=reference,
        status=Status.OPEN,
        expires_at__gt=now(),
    )
    return same.exists() or waiting.exists()


def visible(user: User) -> QuerySet[Invitation]:
    """The invitations to agents of connections that the user sees."""
    rows = roles.only_visible(user, Invitation.objects.all(), "agent__connection")
    return rows.select_related("agent__connection", "made_by", "case")


def unanswered(user: User) -> list[Invitation]:
    """Invitations of this user that lately expired and led to no case, the newest first.

    One is left out once the same reference is invited again.
    """
    moment = now()
    rows = visible(user).filter(
        made_by=user,
        status__in=[Status.OPEN, Status.EXPIRED],
        expires_at__range=(moment - NAMED_FOR, moment),
    )
    return [row for row in rows if not _is_followed(row)]


def _is_followed(invitation: Invitation) -> bool:
    """Whether a later invitation, or a case, has the reference. Without one nobody can tell."""
    if not invitation.reference:
        return False
    later = Invitation.objects.filter(
        agent__connection=invitation.agent.connection_id,
        reference=invitation.reference,
        pk__gt=invitation.pk,
    )
    return later.exists() or _is_taken(invitation.agent, invitation.reference)


def find(pk: int) -> Invitation | None:
    """The invitation in any status. The caller has verified that the applicant holds its link."""
    rows = Invitation.objects.select_related("agent__connection", "made_by")
    return rows.filter(pk=pk).first()


def is_open(invitation: Invitation) -> bool:
    return invitation.status == Status.OPEN and invitation.expires_at > now()


def save_draft(invitation: Invitation, fields: Mapping[str, str]) -> bool:
    """Store what the applicant has typed so far. Returns False if the link has ended or it is
    too long.
    """
    if sum(map(len, fields.values())) > LONGEST_DRAFT:
        return False
    row = Invitation.objects.filter(pk=invitation.pk, status=Status.OPEN)
    return bool(row.update(typed=sealed(invitation, "typed", dict(fields))))


@transaction.atomic
def merge_draft(
    invitation: Invitation, fields: Mapping[str, str], *, changed: Iterable[str]
) -> bool:
    """Store the fields that were changed on a page, by their names in `changed`.

    The link may be open on two devices: what the other one has stored stays. Returns False if the
    link has ended or it is too long.
    """
    row = Invitation.objects.select_for_update().filter(pk=invitation.pk).first()
    if row is None:
        return False
    merged = dict(row.typed)
    for name in changed:
        merged.pop(name, None)
        if name in fields:
            merged[name] = fields[name]
    # A page with fewer rows of parties hides no row of the other one.
    before = numbers.parse(row.typed.get(ROWS, ""), digits=3) or 0
    now_sent = numbers.parse(fields.get(ROWS, ""), digits=3) or 0
    if before or now_sent:
        merged[ROWS] = str(max(before, now_sent))
    return save_draft(row, merged)


def submit(
    invitation: Invitation,
    *,
    subject: str,
    country: str,
    data: Mapping[str, object],
    documents: Iterable[tuple[str, File[bytes]]],
) -> Case | None:
    """Open the case in the name of the user who made the invitation. A repeated call opens no
    second case.

    Returns None if the link has ended in the meantime. Raises QuotaError.
    """
    if not is_open(invitation):
        return None
    # Read the iterator once, before the transaction.
    documents = list(documents)
    try:
        return _submit(
            invitation, invitation.reference, subject, country, data, documents
        )
    except cases.ReferenceTakenError:
        # Another case took the reference in the meantime. The applicant cannot choose one, so the
        # desk makes a new one.
        return _submit(invitation, "", subject, country, data, documents)


def _submit(
    invitation: Invitation,
    reference: str,
    subject: str,
    country: str,
    data: Mapping[str, object],
    documents: Sequence[tuple[str, File[bytes]]],
) -> Case | None:
    """Open the case. Returns None if the link has ended.

    Raises ReferenceTakenError of `cases` if another case has the reference.
    """
    invitation.refresh_from_db()
    if not is_open(invitation):
        return None
    try:
        return cases.submit(
            actor=_submitter(invitation),
            agent=invitation.agent,
            reference=reference,
            subject=subject,
            country=country,
            data=data,
            documents=documents,
            submission=invitation.submission,
            opened=partial(_close, invitation),
        )
    # Another request of the same applicant was first, maybe with other data.
    except (_EndedError, cases.SubmissionTakenError):
        return None


def _submitter(invitation: Invitation) -> User | None:
    """The user who made the invitation, or None, the installation, if they may no longer submit.

    The applicant was invited by the company: that somebody has left it ends no link.
    """
    maker = invitation.made_by
    try:
        roles.require_agent(maker, invitation.agent)
    except PermissionDenied:
        return None
    return maker


def _close(invitation: Invitation, case: Case) -> None:
    """The invitation has led to the case. Raises _EndedError if it has ended meanwhile."""
    row = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if not is_open(row):
        raise _EndedError
    # The draft is no longer needed: the case has the data.
    row.move(
        Status.SUBMITTED,
        case=case,
        submitted_at=now(),
        typed={},
        due_at=None,
        leased_until=None,
    )
    trail.record(
        case,
        "applicant_submitted",
        {"invitation": row.pk},
        actor=CaseEvent.Actor.APPLICANT,
        about=[row],
    )


def withdraw(invitation: Invitation, *, actor: User) -> bool:
    """End the link. Returns False if it has ended already. Raises PermissionDenied."""
    roles.require_agent(actor, invitation.agent)
    return _end(invitation, Status.WITHDRAWN, "invitation_withdrawn", actor)


def expire(invitation: Invitation) -> None:
    """End the link because its time is over. Deletes the draft and its files.

    A link that ended before is emptied, because earlier versions did not do that.
    """
    if invitation.status == Status.OPEN:
        _end(invitation, Status.EXPIRED, "invitation_expired", None)
    else:
        _empty(invitation)


@transaction.atomic
def _empty(invitation: Invitation) -> None:
    """Empty a link that ended and led to no case. One of a case is erased with the case."""
    if invitation.case_id is not None:
        invitation.complete()
        return
    has_message = bool(invitation.message)
    if not invitation.complete(message="", typed={}):
        return
    # The line is bound to the row as it is now.
    invitation.refresh_from_db()
    if _erase_addresses(invitation) or has_message:
        data = {"invitation": invitation.pk}
        trail.record(None, "invitation_emptied", data, about=[invitation])


def _erase_addresses(invitation: Invitation) -> int:
    """Erase where the link was sent. Returns the number of mails that had an address."""
    count = 0
    for mail in invitation.mails.all():
        if not mail.is_erased:
            mail.address = ERASED
            mail.save(update_fields=["address"])
            count += 1
    return count


@transaction.atomic
def _end(invitation: Invitation, status: Status, what: str, actor: User | None) -> bool:
    # No case keeps what the applicant was told, and where the link was sent.
    changes: dict[str, object] = {"typed": {}, "message": ""}
    if not invitation.move(status, due_at=None, leased_until=None, **changes):
        return False
    _erase_addresses(invitation)
    # Files of the applicant are deleted soon, without waiting for their own time limit.
    draft_files.expire_soon(invitation)
    data = {"invitation": invitation.pk}
    trail.record(None, what, data, user=actor, about=[invitation])
    notify.after_commit(draft_files.QUEUE)
    return True
