"""Dead letters of the desk: work that failed permanently, and how an operator retries it.

Each kind has three functions: the rows that a user may see (None: all rows), a row as a letter,
and the retry.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.operation import dead_letters
from compliance.operation.dead_letters import Kind, Letter
from reviews.access import roles
from reviews.inbox import mails
from reviews.intake import request_mails
from reviews.models import Announcement, Job, NoticeMail, RequestMail
from reviews.queue import unsent_jobs
from reviews.subscriptions import announcements


def _announcements(user: User | None) -> QuerySet[Announcement]:
    rows = Announcement.objects.filter(status=Announcement.Status.DEAD)
    # With its case the content of a webhook is erased: nothing is left to be sent.
    rows = rows.exclude(case__erased_at__isnull=False)
    rows = rows.select_related("subscription").defer("body").order_by("-created_at")
    if user is None:
        return rows
    return roles.only_visible(user, rows, "case__connection")


def _announcement(row: Announcement) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Webhook for %(subscription)s")
        % {"subscription": row.subscription.name},
        why=_("%(count)d attempts failed") % {"count": row.tries},
        at=row.updated_at,
        address=reverse("webhook-sent", args=[row.pk]),
    )


def _send_again(row: Announcement, user: User) -> bool:
    return announcements.send_again(row, actor=user)


def _jobs(user: User | None) -> QuerySet[Job]:
    rows = unsent_jobs.rows().select_related("case__connection").defer("sent")
    if user is None:
        return rows
    return roles.only_visible(user, rows, "case__connection")


def _job(row: Job) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Job of case %(case)s for %(service)s")
        % {"case": row.case.reference, "service": row.connection.name},
        why=row.error,
        at=row.ended_at or row.updated_at,
        address=reverse("case-detail", args=[row.case_id]),
    )


def _queue_job(row: Job, user: User) -> bool:
    return unsent_jobs.queue_again(row, actor=user)


def _mails(user: User | None) -> QuerySet[RequestMail]:
    rows = RequestMail.objects.filter(status=RequestMail.Status.FAILED)
    rows = rows.select_related("request__case", "invitation").order_by("-pk")
    # Mails of invitations have no case, so only users who see all connections see them.
    if user is None or roles.connection_ids(user) is None:
        return rows
    return roles.only_visible(user, rows, "request__case__connection")


def _mail(row: RequestMail) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Mail %(number)d: %(kind)s")
        % {"number": row.pk, "kind": row.get_kind_display()},
        why=row.fault,
        at=row.updated_at,
    )


def _mail_again(row: RequestMail, user: User) -> bool:
    return request_mails.send_again(row, actor=user)


def _notices(user: User | None) -> QuerySet[NoticeMail]:
    # These mails go to colleagues and belong to no case: everybody who may retry mails sees
    # them.
    return NoticeMail.objects.filter(status=NoticeMail.Status.FAILED).order_by("-pk")


def _notice(row: NoticeMail) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Mail %(number)d of the inbox") % {"number": row.pk},
        why=row.fault,
        at=row.updated_at,
    )


def _notice_again(row: NoticeMail, user: User) -> bool:
    return mails.send_again(row, actor=user)


def register() -> None:
    for kind in (
        Kind(
            name="jobs",
            title=gettext_lazy("Jobs that the service never took"),
            hint=gettext_lazy(
                "Repair first what the reason names, such as the agent or the service: a new job is queued."
            ),
            permission=roles.CONNECT,
            rows=_jobs,
            letter=_job,
            retry=_queue_job,
        ),
        Kind(
            name="announcements",
            title=gettext_lazy("Webhooks of decisions"),
            hint=gettext_lazy(
                "Their subscribers did not take them for more than a day. Each gets all its attempts again."
            ),
            permission=roles.SUBSCRIBE,
            rows=_announcements,
            letter=_announcement,
            retry=_send_again,
        ),
        Kind(
            name="mails",
            title=gettext_lazy("E-mails to applicants"),
            hint=gettext_lazy(
                "The mail server did not take them. One whose link has ended meanwhile is not sent any more."
            ),
            permission=roles.CONNECT,
            rows=_mails,
            letter=_mail,
            retry=_mail_again,
        ),
        Kind(
            name="notices",
            title=gettext_lazy("E-mails of the inbox"),
            hint=gettext_lazy(
                "The mail server did not take them. What was read meanwhile is left out."
            ),
            permission=roles.CONNECT,
            rows=_notices,
            letter=_notice,
            retry=_notice_again,
        ),
    ):
        dead_letters.register(kind)
