"""Mails inbox messages to users who chose that (`InboxPreference`).

A mail is a row that is written in the transaction of the event. Until it is due (after a minute, or
in the morning) further messages are added to it. It names references of cases and no other data of
them. If a worker dies before it records the delivery, the mail is sent twice, with the same
Message-ID.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, ngettext

from compliance import languages
from compliance.db import clock
from compliance.http.responses import hidden_characters
from compliance.identity.passwords import confirmed_addresses
from compliance.work import notify
from compliance.work.rows import backoff
from reviews.access import roles
from reviews.audit import trail
from reviews.models import InboxPreference, NoticeMail, Notification

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

log = logging.getLogger(__name__)

QUEUE = "reviews.tasks.send_notice_mails"
TRIES = 8
MOST_LINES = 100
# Django's backend that discards all mails.
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
# Messages within this time share one mail.
AT_ONCE = timedelta(minutes=1)
DAILY_HOUR = 7  # in the time zone of the person
Mail, Status = InboxPreference.Mail, NoticeMail.Status
Kind = Notification.Kind
# The inbox shows who did it. The mail does not, because mail is not confidential.
WORDS: dict[str, StrOrPromise] = {
    Kind.MENTION: gettext_lazy("You were mentioned in a note"),
    Kind.ASSIGNED: gettext_lazy("A case was assigned to you"),
    Kind.ESCALATED: gettext_lazy("A case was escalated"),
    Kind.SECOND: gettext_lazy("A second approval is asked for"),
    Kind.SENT_BACK: gettext_lazy("Your decision was sent back"),
    Kind.ANSWER: gettext_lazy("The applicant has answered"),
    Kind.NO_ANSWER: gettext_lazy("The applicant has not answered in time"),
    Kind.ALARM: gettext_lazy("Something came after your decision"),
    Kind.DUE_SOON: gettext_lazy("Your case is due within the hour"),
    Kind.OVERDUE: gettext_lazy("Your case is overdue"),
    Kind.LOOK: gettext_lazy("A second look came to another outcome"),
    Kind.REPORT: gettext_lazy("A report waits for your approval"),
    Kind.REPORT_BACK: gettext_lazy("Your report was sent back"),
    Kind.REPORT_OK: gettext_lazy("Your report was approved and is to be filed"),
}


def is_set_up() -> bool:
    """Whether this installation can send mails."""
    return settings.EMAIL_BACKEND != NO_MAIL


def choice_of(user: User) -> str:
    row = InboxPreference.objects.filter(user=user).first()
    if row:
        return row.mail
    return Mail.OFF.value


def choose(user: User, mail: str) -> None:
    """Store the choice and apply it to a waiting mail. Raises ValueError for an unknown choice."""
    choice = Mail(mail)
    InboxPreference.objects.update_or_create(user=user, defaults={"mail": choice})
    if choice != Mail.OFF:
        # A mail that waits until the morning is sent at the newly chosen time.
        waiting = NoticeMail.objects.filter(
            to=user,
            status=Status.WAITING,
        )
        waiting.update(due_at=due(choice, user))


def queue(line: Notification) -> None:
    """Add a message to the user's waiting mail. Runs in the transaction that created the
    message.
    """
    if not is_set_up():
        return
    choice = choice_of(line.to)
    if choice == Mail.OFF:
        return
    with transaction.atomic():
        # The lock keeps send() from taking the mail while a message is added.
        waiting = NoticeMail.objects.select_for_update()
        mail, _ = waiting.get_or_create(
            to=line.to, status=Status.WAITING, defaults={"due_at": due(choice, line.to)}
        )
        Notification.objects.filter(pk=line.pk).update(mail=mail)


def due(choice: str, user: User) -> datetime:
    """When a new mail to the user will be sent."""
    moment = clock.now()
    if choice == Mail.AT_ONCE:
        return moment + AT_ONCE
    return next_morning(moment, user)


def next_morning(moment: datetime, user: User) -> datetime:
    """The hour of daily mails that follows the moment, in the time zone of the user."""
    with languages.of(user):
        local = timezone.localtime(moment)
    morning = local.replace(
        hour=DAILY_HOUR,
        minute=0,
        second=0,
        microsecond=0,
    )
    # Later today, or tomorrow at the same hour of the clock, also when the clocks change.
    if morning <= local:
        morning += timedelta(days=1)
    return morning.astimezone(UTC)


def send(mail: NoticeMail) -> None:
    """Send a mail, or schedule another attempt. Messages that were read in the meantime are left
    out.
    """
    # From this status on, no message is added to it.
    if mail.status == Status.WAITING and not mail.move(Status.SENDING):
        return
    lines = _lines(mail)
    if not lines:
        mail.complete(status=Status.DROPPED)
        return
    try:
        with languages.of(mail.to):
            # Written in the language of the recipient.
            message = _message(mail, lines)
        message.send()
    except OSError as exc:  # SMTP errors are OSErrors, too
        # Log without a traceback, which may contain the address.
        log.warning("Mail %s was not sent (%s).", mail.pk, type(exc).__name__)
        _postpone(mail, type(exc).__name__)
        return
    mail.complete(status=Status.SENT, sent_at=now(), fault="")


@transaction.atomic
def send_again(mail: NoticeMail, *, actor: User) -> bool:
    """Queue a failed mail again with a new set of attempts. Returns False if it has not failed.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.CONNECT)
    start = {"failures": 0, "due_at": clock.now(), "leased_until": None}
    if not mail.move(Status.SENDING, fault="", **start):
        return False
    trail.record(None, "mail_queued_again", {"mail": mail.pk}, user=actor)
    notify.after_commit(QUEUE)
    return True


def _lines(mail: NoticeMail) -> Sequence[Notification]:
    """Unread messages about cases that the user may see. Empty if the user wants no mail now."""
    user = mail.to
    if not user.is_active or not user.email or choice_of(user) == Mail.OFF:
        return []
    if confirmed_addresses.is_held(user):
        return []
    rows = visible(user).filter(mail=mail, read_at=None)
    return list(rows.select_related("case").order_by("id"))


def visible(user: User) -> QuerySet[Notification]:
    """The user's messages about visible cases. Messages about suspicion reports need
    SEE_SUSPICIONS.
    """
    rows = Notification.objects.filter(to=user)
    if not user.has_perm(roles.SEE_SUSPICIONS):
        rows = rows.exclude(kind__in=Notification.OF_REPORTS)
    return roles.only_visible(user, rows, "case__connection")


def _postpone(mail: NoticeMail, error: str) -> None:
    failures = mail.failures + 1
    fault = f"The mail server did not take it ({error})."
    if failures >= TRIES:
        mail.complete(status=Status.FAILED, fault=fault)
    else:
        mail.complete(due_at=backoff(failures), failures=failures, fault=fault)


def _subject(lines: Sequence[Notification]) -> str:
    """What happened, or how many things. The reference of the case stays out of the subject, which
    phones show while they are locked.
    """
    count = len(lines)
    if count == 1:
        words = WORDS[lines[0].kind]
        return gettext("Compliance desk: %(event)s") % {"event": words}
    subject = ngettext(
        "Compliance desk: %(count)d new message",
        "Compliance desk: %(count)d new messages",
        count,
    )
    return subject % {"count": count}


def _message(mail: NoticeMail, lines: Sequence[Notification]) -> EmailMultiAlternatives:
    mail_lines = []
    for line in lines[:MOST_LINES]:
        # This page marks the message as read and leads to the case.
        address = settings.DESK_URL + reverse("inbox-open", args=[line.pk])
        reference = hidden_characters.show(line.case.reference)
        mail_lines.append((str(WORDS[line.kind]), reference, address))
    count = len(lines)
    context = {
        "lines": mail_lines,
        "more": count - len(mail_lines),
        "inbox": f"{settings.DESK_URL}/inbox/",
    }
    host = urlsplit(settings.DESK_URL).hostname or "localhost"
    message = EmailMultiAlternatives(
        _subject(lines),
        render_to_string("mail/inbox.txt", context),
        settings.DEFAULT_FROM_EMAIL,
        [mail.to.email],
        headers={
            "Message-ID": f"<notice-mail-{mail.pk}@{host}>",
            # Prevents automatic replies, such as out-of-office messages.
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(
        render_to_string("mail/inbox.html", context), "text/html"
    )
    return message
