"""Notifies analysts that a case of theirs is due soon or overdue, once for each due time.

For an unassigned case, users with a role in DUE_ROLES who may review it are notified. A user who
has not read such a message yet gets no other one: the queue shows the rest.

A case that waits for a second person or a senior is that of those who were asked: the analyst can do
nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from compliance.db import clock
from compliance.work.queues import each
from reviews.access import roles
from reviews.inbox import notifications
from reviews.models import Case, Decision, DueWatch, Notification
from reviews.people.assignment import awake

QUEUE = "reviews.tasks.watch_due_cases"
EVERY = timedelta(minutes=1)
SOON = timedelta(hours=1)
MOST = 500  # cases of each kind per run; the others follow a minute later
# Only unassigned cases that became overdue within this time. Older ones are first in the queue
# anyway.
JUST = timedelta(hours=1)
# Statuses in which a case waits for a user of the desk.
STATUSES = (Case.Status.TO_REVIEW, Case.Status.ATTENTION)
Kind = Notification.Kind
# Statuses in which it waits for those who were asked by this message.
ASKED_BY = {
    Case.Status.SECOND.value: Kind.SECOND,
    Case.Status.ESCALATED.value: Kind.ESCALATED,
}


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Create the single row of the watch. Connected to post_migrate."""
    DueWatch.objects.get_or_create(pk=1)


def notify_all(queue: str) -> int:
    """Notify everybody. Returns for how many cases that failed."""
    moment = clock.now()
    failed = 0
    for cases, tell in _messages(moment):
        failed += each(queue, cases, tell, most=MOST)
    return failed


def _messages(
    moment: datetime,
) -> list[tuple[QuerySet[Case], Callable[[Case], object]]]:
    """Cases that somebody has to hear of, and the function that tells them."""
    messages: list[tuple[QuerySet[Case], Callable[[Case], object]]] = [
        (_overdue(moment), partial(_tell, Kind.OVERDUE)),
        (_due_soon(moment), partial(_tell, Kind.DUE_SOON)),
        (_asked_of_nobody(moment), _ask_all),
        (_overdue_of_asked(moment), partial(_tell_asked, Kind.OVERDUE)),
        (_soon_of_asked(moment), partial(_tell_asked, Kind.DUE_SOON)),
    ]
    if settings.DUE_ROLES:
        messages += [
            (_overdue_of_nobody(moment), partial(_tell_roles, Kind.OVERDUE)),
            (_soon_of_nobody(moment), partial(_tell_roles, Kind.DUE_SOON)),
        ]
    return messages


def _tell(kind: Notification.Kind, case: Case) -> None:
    notifications.notify(case, [case.analyst], kind)


def _handed_on(moment: datetime) -> QuerySet[Case]:
    """Cases that wait for those who were asked, with the time at which they were asked."""
    newest = Decision.objects.filter(case=OuterRef("pk")).order_by("-pk")
    handed_at = newest.values("made_at")[:1]
    cases = Case.objects.filter(awake(moment), status__in=ASKED_BY)
    cases = cases.select_related("connection", "analyst")
    cases = cases.annotate(handed_at=Subquery(handed_at))
    return cases.filter(handed_at__isnull=False)


def _asked_of_nobody(moment: datetime) -> QuerySet[Case]:
    """Cases handed on to people who have left or lost the role since, and to nobody else."""
    asked = Notification.objects.filter(
        case=OuterRef("pk"),
        kind__in=ASKED_BY.values(),
        at__gte=OuterRef("handed_at"),
        to__in=roles.holders(roles.APPROVE),
    )
    return _handed_on(moment).exclude(Exists(asked)).order_by("pk")


def _ask_all(case: Case) -> bool:
    """Ask everybody who may act now, as if nobody had been named. False: nobody may."""
    handed_on = case.decisions.latest("pk")
    people = list(_approvers(case, handed_on))
    kind = ASKED_BY[case.status]
    notifications.notify(case, people, kind, by=handed_on.made_by)
    return bool(people)


def _approvers(case: Case, handed_on: Decision) -> QuerySet[User]:
    approvers = roles.colleagues(case, roles.APPROVE)
    if handed_on.made_by is not None:
        approvers = approvers.exclude(pk=handed_on.made_by.pk)
    return approvers


def _since_handed_on(kind: Notification.Kind) -> QuerySet[Notification]:
    """The messages of this kind about a case of `_handed_on` since then."""
    return Notification.objects.filter(
        case=OuterRef("pk"), kind=kind, at__gte=OuterRef("handed_at")
    )


def _overdue_of_asked(moment: datetime) -> QuerySet[Case]:
    """Cases that were handed on and are overdue, which nobody was told since."""
    earlier = _since_handed_on(Kind.OVERDUE).filter(at__gte=OuterRef("due_at"))
    cases = _handed_on(moment).filter(due_at__lte=moment)
    return cases.exclude(Exists(earlier)).order_by("-due_at")


def _soon_of_asked(moment: datetime) -> QuerySet[Case]:
    """Cases that were handed on and are due soon, which nobody was told since."""
    earlier = _since_handed_on(Kind.DUE_SOON).filter(at__gte=moment - SOON)
    cases = _handed_on(moment).filter(
        due_at__gt=moment,
        due_at__lte=moment + SOON,
        created_at__lt=F("due_at") - SOON,
    )
    return cases.exclude(Exists(earlier)).order_by("due_at")


def _tell_asked(kind: Notification.Kind, case: Case) -> bool:
    """Notify those who were asked, or the one of them who has taken the case.

    False: nobody may act on it.
    """
    handed_on = case.decisions.latest("pk")
    approvers = _approvers(case, handed_on)
    asked = Notification.objects.filter(
        to=OuterRef("pk"),
        case=case,
        kind=ASKED_BY[case.status],
        at__gte=handed_on.made_at,
    )
    # Those who were asked may have left, or lost the role: then everybody who may act is told.
    people = list(approvers.filter(Exists(asked))) or list(approvers)
    if case.analyst is not None and case.analyst in people:
        people = [case.analyst]
    notifications.notify(case, people, kind)
    return bool(people)


def _of_nobody(moment: datetime) -> QuerySet[Case]:
    cases = Case.objects.filter(awake(moment), status__in=STATUSES, analyst=None)
    return cases.select_related("connection")


def _overdue_of_nobody(moment: datetime) -> QuerySet[Case]:
    """Unassigned cases that have just become overdue, which nobody was told, the most urgent first."""
    overdue = _of_nobody(moment).filter(due_at__gt=moment - JUST, due_at__lte=moment)
    return _not_notified(overdue, Kind.OVERDUE, moment - JUST)


def _soon_of_nobody(moment: datetime) -> QuerySet[Case]:
    """Unassigned cases that are due soon, which nobody was told, the most urgent first."""
    soon = _of_nobody(moment).filter(due_at__gt=moment, due_at__lte=moment + SOON)
    # With an SLA of an hour or less, every new case would count as due soon.
    soon = soon.filter(created_at__lt=F("due_at") - SOON)
    return _not_notified(soon, Kind.DUE_SOON, moment - SOON)


def _not_notified(
    cases: QuerySet[Case], kind: Notification.Kind, since: datetime
) -> QuerySet[Case]:
    earlier = Notification.objects.filter(
        case=OuterRef("pk"),
        kind=kind,
        at__gte=since,
    )
    return cases.exclude(Exists(earlier)).order_by("due_at")


def _tell_roles(kind: Notification.Kind, case: Case) -> bool:
    """Notify those with a role who have read the last such message. False: there is nobody."""
    people = roles.colleagues(case, roles.REVIEW)
    people = people.filter(groups__name__in=settings.DUE_ROLES)
    unread = Notification.objects.filter(
        to=OuterRef("pk"),
        kind__in=(Kind.OVERDUE, Kind.DUE_SOON),
        read_at=None,
        case__analyst=None,
    )
    chosen: list[User] = list(people.exclude(Exists(unread)))
    notifications.notify(case, chosen, kind)
    return bool(chosen)


def _overdue(moment: datetime) -> QuerySet[Case]:
    # A message from before the current due time does not count: the due time may have moved.
    earlier = _notified(Kind.OVERDUE).filter(at__gte=OuterRef("due_at"))
    cases = _waiting(moment).filter(due_at__lte=moment)
    return cases.exclude(Exists(earlier)).order_by("-due_at")


def _due_soon(moment: datetime) -> QuerySet[Case]:
    earlier = _notified(Kind.DUE_SOON).filter(at__gte=moment - SOON)
    cases = _waiting(moment)
    cases = cases.filter(due_at__gt=moment, due_at__lte=moment + SOON)
    # With an SLA of an hour or less, every new case would count as due soon.
    cases = cases.filter(created_at__lt=F("due_at") - SOON)
    cases = cases.exclude(Exists(earlier))
    return cases.order_by("due_at")


def _waiting(moment: datetime) -> QuerySet[Case]:
    cases = Case.objects.filter(awake(moment), status__in=STATUSES)
    return cases.exclude(analyst=None).select_related("analyst")


def _notified(kind: Notification.Kind) -> QuerySet[Notification]:
    return Notification.objects.filter(
        case=OuterRef("pk"), to=OuterRef("analyst"), kind=kind
    )
