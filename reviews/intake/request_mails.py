"""Mails with the link of a request or an invitation. They name the sender, and nothing of the
case.

A mail may be sent twice, if a worker dies before it stores that the mail was sent. Both copies
have the same Message-ID.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from email.utils import formataddr, parseaddr
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy

from compliance.db import clock
from compliance.http import outbox
from compliance.http.responses import hidden_characters
from compliance.languages import ENGLISH
from compliance.security.data_keys import DataKeyError
from compliance.work import notify
from compliance.work.rows import backoff
from reviews.access import roles
from reviews.audit import trail
from reviews.intake import links
from reviews.models import Case, InformationRequest, Invitation, RequestMail
from reviews.organisation import organisation

log = logging.getLogger(__name__)

QUEUE = "reviews.tasks.send_request_mails"
TRIES = 8  # attempts until a mail counts as failed
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
LONGEST_ADDRESS = 254
NOT_SET_UP = gettext_lazy(
    "This desk sends no e-mail: leave the address empty, and copy the link."
)
Kind, Status = RequestMail.Kind, RequestMail.Status
# The status of an open link; requests and invitations have the same one.
OPEN = InformationRequest.Status.OPEN


def is_set_up() -> bool:
    """Whether this installation can send e-mail."""
    return settings.EMAIL_BACKEND != NO_MAIL


def last_of(case: Case) -> RequestMail | None:
    """The newest mail about the case to its applicant. None if there is none, or its address was
    erased or changed in the database.
    """
    of_case = Q(request__case=case) | Q(invitation__case=case)
    mail = RequestMail.objects.filter(of_case).order_by("-id").first()
    if mail is None or not mail.recipient:
        return None
    return mail


def fault_of(address: str) -> str:
    """Why no mail can be sent to this address, as a sentence; "" if one can."""
    if not is_set_up():
        return str(NOT_SET_UP)
    try:
        validate_email(address)
    except ValidationError:
        return gettext("The e-mail address of the applicant is not complete.")
    if len(address) > LONGEST_ADDRESS:
        return gettext("The e-mail address of the applicant is too long.")
    return ""


def queue(
    request: InformationRequest,
    *,
    address: str,
    remind_days: int,
    language: str = ENGLISH,
) -> None:
    """Send the link after the commit, and a reminder `remind_days` days before it ends (0:
    none).
    """
    RequestMail.objects.create(
        request=request, kind=Kind.REQUEST, address=address, language=language
    )
    if remind_days:
        queue_reminder(
            request, address=address, remind_days=remind_days, language=language
        )
    notify.after_commit(QUEUE)


def queue_invitation(
    invitation: Invitation, *, address: str, language: str = ENGLISH
) -> None:
    """Send the link of an invitation after the commit."""
    RequestMail.objects.create(
        invitation=invitation, kind=Kind.REQUEST, address=address, language=language
    )
    notify.after_commit(QUEUE)


def queue_reminder(
    request: InformationRequest,
    *,
    address: str,
    remind_days: int,
    language: str = ENGLISH,
) -> None:
    """Schedule a reminder. Only one may wait per request, so it replaces an earlier one."""
    waiting = request.mails.filter(
        kind=Kind.REMINDER,
        status=Status.WAITING,
    )
    for mail in waiting:
        mail.move(Status.DROPPED, due_at=None, leased_until=None)
    due_at = request.expires_at - timedelta(days=remind_days)
    if due_at > now():
        RequestMail.objects.create(
            request=request,
            kind=Kind.REMINDER,
            address=address,
            language=language,
            due_at=due_at,
        )


def send(mail: RequestMail) -> None:
    """Send a mail, or schedule another attempt. If its link has ended, the mail is dropped."""
    link = mail.request or mail.invitation
    assert link is not None  # noqa: S101 - a constraint of the table
    if link.status != OPEN or link.expires_at <= now():
        mail.complete(status=Status.DROPPED)
        return
    # The call to the mail server comes before the transaction.
    try:
        with translation.override(mail.language):
            message = _message(mail)
    except DataKeyError:
        # Another try would not help, and the address may be that of a stranger.
        mail.complete(status=Status.FAILED, fault=outbox.CHANGED)
        return
    try:
        message.send()
    except OSError as exc:  # errors of mail servers are OSErrors, too
        # No traceback in the log: it may contain the address.
        log.warning("Mail %s was not sent (%s).", mail.pk, type(exc).__name__)
        _postpone(mail, type(exc).__name__)
        return
    with transaction.atomic():
        if mail.complete(status=Status.SENT, sent_at=now(), fault=""):
            _record(mail)
            _remind_later(mail, link)


def _record(mail: RequestMail) -> None:
    what = "request_mailed"
    if mail.kind == Kind.REMINDER:
        what = "request_reminded"
    if mail.request:
        trail.record(mail.request.case, what, {})


def _remind_later(mail: RequestMail, link: InformationRequest | Invitation) -> None:
    """Schedule the next reminder, as the organisation has set: after some days, a number of
    times.

    Part of the transaction that stores that `mail` was sent, so each mail leads to one reminder
    at most.
    """
    sender = organisation.current()
    due_at = now() + timedelta(days=sender.remind_days)
    count = link.mails.filter(kind=Kind.REMINDER, status=Status.SENT).count()
    has_room = count < sender.remind_most and due_at < link.expires_at
    waits = link.mails.filter(kind=Kind.REMINDER, status=Status.WAITING).exists()
    if sender.remind_days and has_room and not waits:
        RequestMail.objects.create(
            request=mail.request,
            invitation=mail.invitation,
            kind=Kind.REMINDER,
            address=mail.address,
            language=mail.language,
            due_at=due_at,
        )


@transaction.atomic
def send_again(mail: RequestMail, *, actor: User) -> bool:
    """Give a failed mail a new set of attempts. Returns False if it has not failed.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.CONNECT)
    start = {"failures": 0, "due_at": clock.now(), "leased_until": None}
    if not mail.move(Status.WAITING, fault="", **start):
        return False
    if mail.request:
        case = mail.request.case
    else:
        case = None
    trail.record(case, "mail_queued_again", {"mail": mail.pk}, user=actor)
    notify.after_commit(QUEUE)
    return True


def _postpone(mail: RequestMail, error: str) -> None:
    failures = mail.failures + 1
    fault = f"The mail server did not take it ({error})."
    if failures >= TRIES:
        mail.complete(status=Status.FAILED, fault=fault)
    else:
        mail.complete(due_at=backoff(failures), failures=failures, fault=fault)


def _reply_to(contact: str) -> list[str]:
    """The first e-mail address of what the organisation writes for questions. Nobody reads answers
    to the address that sends.
    """
    for word in contact.split():
        address = word.strip(",;:.<>()")
        try:
            validate_email(address)
        except ValidationError:
            continue
        return [address]
    return []


def _message(mail: RequestMail) -> EmailMultiAlternatives:
    link = mail.request or mail.invitation
    assert link is not None  # noqa: S101 - a constraint of the table
    sender = organisation.current()
    name = hidden_characters.show(organisation.name_of(sender))
    context = {
        "sender": name,
        "contact": sender.contact,
        "colour": sender.colour or "#3b3fc4",
        "link": links.address(link),
        "until": link.expires_at,
        "is_invitation": mail.invitation is not None,
        "is_reminder": mail.kind == Kind.REMINDER,
    }
    subject = gettext("%(sender)s asks you for documents")
    if mail.invitation and mail.kind == Kind.REMINDER:
        subject = gettext("Reminder: %(sender)s waits for your form")
    elif mail.invitation:
        subject = gettext("%(sender)s asks you to fill in a form")
    elif mail.kind == Kind.REMINDER:
        subject = gettext("Reminder: %(sender)s waits for your documents")
    subject = subject % {"sender": name}
    _, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    host = urlsplit(settings.DESK_URL).hostname or "localhost"
    message = EmailMultiAlternatives(
        # A header must be a single line.
        " ".join(subject.split()),
        render_to_string("mail/request.txt", context),
        formataddr((name, address)),
        [mail.address],
        reply_to=_reply_to(sender.contact),
        headers={
            "Message-ID": f"<request-mail-{mail.pk}@{host}>",
            # Prevents automatic replies, such as out-of-office messages.
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(
        render_to_string("mail/request.html", context), "text/html"
    )
    return message
