"""Notifies analysts that a case of theirs is due soon or overdue, once for each due time.

For an unassigned case, users with a role in DUE_ROLES who may review it are notified. A user who
has not read such a message yet gets no other one: the queue shows the rest.

A case that waits for a second person or a senior is that of those who were asked: the analyst can do
nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from compliance.db import clock
from reviews.access import roles
from reviews.inbox import notifications
from reviews.models import Case, Decision, DueWatch, Notification
from reviews.people.assignment import awake

QUEUE = "reviews.tasks.watch_due_cases"
EVERY = timedelta(minutes=1)
SOON = timedelta(hours=1)
MOST = 500  # messages per run; the others follow a minute later
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


def watch(row: DueWatch) -> None:
    """The work of the task: notify, then schedule the next run."""
    moment = clock.now()
    for case in _overdue(moment):
        _tell(case, Kind.OVERDUE)
    for case in _due_soon(moment):
        _tell(case, Kind.DUE_SOON)
    for case in _asked_of_nobody(moment):
        _ask_all(case)
    for case, kind in _of_asked_people(moment):
        _tell_asked(case, kind)
    if settings.DUE_ROLES:
        for case, kind in _of_nobody(moment):
            _tell_roles(case, kind)
    row.complete(due_at=clock.now() + EVERY)


def _tell(case: Case, kind: Notification.Kind) -> None:
    with transaction.atomic():
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
    return _handed_on(moment).exclude(Exists(asked)).order_by("pk")[:MOST]


def _ask_all(case: Case) -> None:
    """Ask everybody who may act now, as if nobody had been named."""
    handed_on = case.decisions.latest("pk")
    with transaction.atomic():
        notifications.notify(
            case,
            _approvers(case, handed_on),
            ASKED_BY[case.status],
            by=handed_on.made_by,
        )


def _approvers(case: Case, handed_on: Decision) -> QuerySet[User]:
    approvers = roles.colleagues(case, roles.APPROVE)
    if handed_on.made_by is not None:
        approvers = approvers.exclude(pk=handed_on.made_by.pk)
    return approvers


def _of_asked_people(moment: datetime) -> Iterator[tuple[Case, Notification.Kind]]:
    """Cases that were handed on, and that nobody was notified about since."""
    cases = _handed_on(moment)
    earlier = Notification.objects.filter(
        case=OuterRef("pk"),
        at__gte=OuterRef("handed_at"),
    )
    of_overdue = earlier.filter(
        kind=Kind.OVERDUE,
        at__gte=OuterRef("due_at"),
    )
    overdue = cases.filter(due_at__lte=moment)
    overdue = overdue.exclude(Exists(of_overdue))
    for case in overdue.order_by("-due_at")[:MOST]:
        yield case, Kind.OVERDUE
    of_soon = earlier.filter(
        kind=Kind.DUE_SOON,
        at__gte=moment - SOON,
    )
    soon = cases.filter(
        due_at__gt=moment,
        due_at__lte=moment + SOON,
        created_at__lt=F("due_at") - SOON,
    )
    soon = soon.exclude(Exists(of_soon))
    for case in soon.order_by("due_at")[:MOST]:
        yield case, Kind.DUE_SOON


def _tell_asked(case: Case, kind: Notification.Kind) -> None:
    """Notify those who were asked, or the one of them who has taken the case."""
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
    with transaction.atomic():
        notifications.notify(case, people, kind)


def _of_nobody(moment: datetime) -> Iterator[tuple[Case, Notification.Kind]]:
    """Unassigned cases that nobody was notified about, the most urgent first."""
    cases = Case.objects.filter(awake(moment), status__in=STATUSES, analyst=None)
    cases = cases.select_related("connection")
    overdue = cases.filter(due_at__gt=moment - JUST, due_at__lte=moment)
    for case in _not_notified(overdue, Kind.OVERDUE, moment - JUST):
        yield case, Kind.OVERDUE
    soon = cases.filter(due_at__gt=moment, due_at__lte=moment + SOON)
    # With an SLA of an hour or less, every new case would count as due soon.
    soon = soon.filter(created_at__lt=F("due_at") - SOON)
    for case in _not_notified(soon, Kind.DUE_SOON, moment - SOON):
        yield case, Kind.DUE_SOON


def _not_notified(
    cases: QuerySet[Case], kind: Notification.Kind, since: datetime
) -> QuerySet[Case]:
    earlier = Notification.objects.filter(
        case=OuterRef("pk"),
        kind=kind,
        at__gte=since,
    )
    return cases.exclude(Exists(earlier)).order_by("due_at")[:MOST]


def _tell_roles(case: Case, kind: Notification.Kind) -> None:
    people = roles.colleagues(case, roles.REVIEW)
    people = people.filter(groups__name__in=settings.DUE_ROLES)
    unread = Notification.objects.filter(
        to=OuterRef("pk"),
        kind__in=(Kind.OVERDUE, Kind.DUE_SOON),
        read_at=None,
        case__analyst=None,
    )
    chosen: list[User] = list(people.exclude(Exists(unread)))
    with transaction.atomic():
        notifications.notify(case, chosen, kind)


def _overdue(moment: datetime) -> QuerySet[Case]:
    # A message from before the current due time does not count: the due time may have moved.
    earlier = _notified(Kind.OVERDUE).filter(at__gte=OuterRef("due_at"))
    cases = _waiting(moment).filter(due_at__lte=moment)
    return cases.exclude(Exists(earlier)).order_by("-due_at")[:MOST]


def _due_soon(moment: datetime) -> QuerySet[Case]:
    earlier = _notified(Kind.DUE_SOON).filter(at__gte=moment - SOON)
    cases = _waiting(moment)
    cases = cases.filter(due_at__gt=moment, due_at__lte=moment + SOON)
    # With an SLA of an hour or less, every new case would count as due soon.
    cases = cases.filter(created_at__lt=F("due_at") - SOON)
    cases = cases.exclude(Exists(earlier))
    return cases.order_by("due_at")[:MOST]


def _waiting(moment: datetime) -> QuerySet[Case]:
    cases = Case.objects.filter(awake(moment), status__in=STATUSES)
    return cases.exclude(analyst=None).select_related("analyst")


def _notified(kind: Notification.Kind) -> QuerySet[Notification]:
    return Notification.objects.filter(
        case=OuterRef("pk"), to=OuterRef("analyst"), kind=kind
    )
