"""Tells people what concerns them, and what of it they have read."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.timezone import now

from reviews.inbox import mails
from reviews.models import Case, Notification

Kind = Notification.Kind


def notify(
    case: Case, people: Iterable[User | None], kind: Kind, *, by: User | None = None
) -> None:
    """Put a line into the inboxes of these people. Nobody is told what they did themselves.

    Runs in the transaction of what happened. A line of the same kind and case that was not read yet
    is not repeated.
    """
    for person in people:
        if person is None or person == by:
            continue
        line, is_new = Notification.objects.get_or_create(
            to=person, case=case, kind=kind, read_at=None, defaults={"by": by}
        )
        if is_new:
            mails.queue(line)


def settle(case: Case, *kinds: Kind) -> None:
    """Mark the lines of these kinds as read: what they ask for is done, whoever did it."""
    rows = Notification.objects.filter(case=case, kind__in=kinds, read_at=None)
    rows.update(read_at=now())


def inbox(user: User) -> QuerySet[Notification]:
    """The user's lines about cases that the user may see, the newest first."""
    return mails.visible(user).select_related("case", "by")


def unread_count(user: User) -> int:
    return inbox(user).filter(read_at=None).count()


def mark_read(user: User, pk: int) -> Notification | None:
    """The line, read from now on; None where the user has no such line."""
    row = inbox(user).filter(pk=pk).first()
    if row is not None and row.read_at is None:
        Notification.objects.filter(pk=row.pk, read_at=None).update(read_at=now())
    return row


def mark_unread(user: User, pk: int) -> Notification | None:
    """Show the line as new again, unless a newer one says the same. None as in `mark_read`."""
    row = inbox(user).filter(pk=pk).first()
    if row is None:
        return None
    same = Notification.objects.filter(
        to=user, case=row.case_id, kind=row.kind, read_at=None
    )
    if not same.exists():
        Notification.objects.filter(pk=row.pk).update(read_at=None)
    return row


def mark_all_read(user: User, ids: Iterable[int] | None = None) -> int:
    """Mark all lines of the user as read, or those with these ids. How many there were."""
    rows = Notification.objects.filter(to=user, read_at=None)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    return rows.update(read_at=now())
