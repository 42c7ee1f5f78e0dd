"""Tells analysts that a case of theirs is due soon, or overdue: each once for a due time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.apps import AppConfig
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from compliance.db import clock
from reviews.inbox import notifications
from reviews.models import Case, DueWatch, Notification
from reviews.people.assignment import awake

QUEUE = "reviews.tasks.watch_due_cases"
EVERY = timedelta(minutes=1)
SOON = timedelta(hours=1)
MOST = 500  # at a time; the rest a minute later
# What waits for a person of the desk.
STATUSES = (Case.Status.TO_REVIEW, Case.Status.ATTENTION, Case.Status.ESCALATED)
Kind = Notification.Kind


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Make the one row of the watch. Connected to post_migrate."""
    DueWatch.objects.get_or_create(pk=1)


def watch(row: DueWatch) -> None:
    """The work of its task. A case of nobody is told to nobody: the queue shows it first."""
    moment = clock.now()
    for case in _overdue(moment):
        _tell(case, Kind.OVERDUE)
    for case in _due_soon(moment):
        _tell(case, Kind.DUE_SOON)
    row.complete(due_at=clock.now() + EVERY)


def _tell(case: Case, kind: Notification.Kind) -> None:
    with transaction.atomic():
        notifications.notify(case, [case.analyst], kind)


def _overdue(moment: datetime) -> QuerySet[Case]:
    # A later due time, as after an alarm, is a new one.
    earlier = _told(Kind.OVERDUE).filter(at__gte=OuterRef("due_at"))
    cases = _waiting(moment).filter(due_at__lte=moment)
    return cases.exclude(Exists(earlier)).order_by("-due_at")[:MOST]


def _due_soon(moment: datetime) -> QuerySet[Case]:
    earlier = _told(Kind.DUE_SOON).filter(at__gte=moment - SOON)
    cases = _waiting(moment)
    cases = cases.filter(due_at__gt=moment, due_at__lte=moment + SOON)
    # With an SLA of an hour or less every new case would be due soon.
    cases = cases.filter(created_at__lt=F("due_at") - SOON)
    cases = cases.exclude(Exists(earlier))
    return cases.order_by("due_at")[:MOST]


def _waiting(moment: datetime) -> QuerySet[Case]:
    cases = Case.objects.filter(awake(moment), status__in=STATUSES)
    return cases.exclude(analyst=None).select_related("analyst")


def _told(kind: Notification.Kind) -> QuerySet[Notification]:
    return Notification.objects.filter(
        case=OuterRef("pk"), to=OuterRef("analyst"), kind=kind
    )
