"""Messages in the inbox: create them, list them, mark them as read."""

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
    """Add a message to the inboxes of these users, except that of `by`, who caused the event.

    Runs in the transaction of the event. While a message of the same kind and case is unread, no
    second one is added.
    """
    if kind == Kind.OVERDUE:
        # "Due within the hour" is no longer true.
        mark_done(case, Kind.DUE_SOON)
    for person in people:
        if person is None or person == by:
            continue
        # An unread message of the same kind is not repeated.
        line, is_new = Notification.objects.get_or_create(
            to=person, case=case, kind=kind, read_at=None, defaults={"by": by}
        )
        if is_new:
            mails.queue(line)


def mark_done(case: Case, *kinds: Kind, to: User | None = None) -> None:
    """Mark all messages of these kinds about the case as read, because somebody has done what they
    ask for. With `to`, only those of this person.
    """
    rows = Notification.objects.filter(
        case=case,
        kind__in=kinds,
        read_at=None,
    )
    if to is not None:
        rows = rows.filter(to=to)
    rows.update(read_at=now())


def inbox(user: User) -> QuerySet[Notification]:
    """The user's messages about cases that the user may see, the newest first."""
    return mails.visible(user).select_related("case", "by")


def unread_count(user: User) -> int:
    return inbox(user).filter(read_at=None).count()


def mark_read(user: User, pk: int) -> Notification | None:
    """Mark a message as read and return it. None if the user has no such message."""
    row = inbox(user).filter(pk=pk).first()
    if row is not None and row.read_at is None:
        Notification.objects.filter(pk=row.pk, read_at=None).update(read_at=now())
    return row


def mark_unread(user: User, pk: int) -> Notification | None:
    """Mark a message as unread and return it, unless an unread one of the same kind exists.

    None if the user has no such message.
    """
    row = inbox(user).filter(pk=pk).first()
    if row is None:
        return None
    # A unique constraint allows one unread message per user, case and kind.
    same = Notification.objects.filter(
        to=user, case=row.case_id, kind=row.kind, read_at=None
    )
    if not same.exists():
        Notification.objects.filter(pk=row.pk).update(read_at=None)
    return row


def mark_all_read(
    user: User, ids: Iterable[int] | None = None, *, newest: int | None = None
) -> int:
    """Mark all messages of the user, those with these ids, or those up to the newest one that the
    user has seen, as read. Returns how many changed.
    """
    rows = Notification.objects.filter(to=user, read_at=None)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    if newest is not None:
        rows = rows.filter(pk__lte=newest)
    return rows.update(read_at=now())
