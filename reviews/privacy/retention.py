"""Retention: which cases are past their time.

If several active rules fit a case, the one that keeps it longest applies.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.timezone import now

from compliance.db import clock
from compliance.work import notify
from reviews.models import (
    ENDING,
    Case,
    CaseEvent,
    Decision,
    Erasure,
    Job,
    RetentionRule,
    SuspicionReport,
)
from reviews.privacy import holds

QUEUE = "reviews.tasks.plan_erasures"
# The statuses of open cases that wait for somebody.
UNDECIDED = (
    Case.Status.TO_REVIEW,
    Case.Status.ATTENTION,
    Case.Status.WAITING,
    Case.Status.ESCALATED,
)

# Cases with the annotation `since`, which the type of the model does not have.
DatedCases = QuerySet[Any]


def due(
    rule: RetentionRule,
    moment: datetime | None = None,
    active: Iterable[RetentionRule] | None = None,
) -> DatedCases:
    """The cases that this rule may erase, oldest first, with `since`: the start of their time.

    Left out are cases that are on hold, have a running job, have a planned erasure, have an open
    report of suspicious activity, or are kept longer by another active rule. Who asks for several
    rules gives the `active` ones, which are read otherwise.
    """
    under_way = Job.objects.filter(
        case=OuterRef("pk"),
        status__in=[Job.Status.QUEUED, Job.Status.RUNNING],
    )
    planned = Erasure.objects.filter(
        case=OuterRef("pk"),
        status__in=[Erasure.Status.PLANNED, Erasure.Status.RUNNING],
    )
    reports = SuspicionReport.objects.filter(
        case=OuterRef("pk"), status__in=SuspicionReport.OPEN
    )
    cases = holds.without(let_go(rule, moment, active))
    cases = cases.exclude(Exists(under_way))
    cases = cases.exclude(Exists(planned))
    cases = cases.exclude(Exists(reports))
    return cases.order_by("since", "pk")


def let_go(
    rule: RetentionRule,
    moment: datetime | None = None,
    active: Iterable[RetentionRule] | None = None,
) -> DatedCases:
    """The cases whose time by this rule is over, and that no other active rule keeps longer."""
    moment = moment or now()
    cases = _past(rule, moment)
    if active is None:
        active = RetentionRule.objects.filter(is_active=True)
    # Leave out the cases that another rule fits and keeps longer.
    for other in active:
        if not _may_keep_longer(other, rule):
            continue
        past = _past(other, moment)
        longer = _fitting(other).exclude(pk__in=past.values("pk"))
        cases = cases.exclude(pk__in=longer.values("pk"))
    return cases


def _may_keep_longer(other: RetentionRule, rule: RetentionRule) -> bool:
    """Whether `other` may fit a case of `rule` and keep it longer. If not, SQL need not ask."""
    if other.pk == rule.pk:
        return False
    if other.kind and rule.kind and other.kind != rule.kind:
        return False
    undecided = RetentionRule.UNDECIDED
    if (other.outcome == undecided) != (rule.outcome == undecided):
        return False
    if other.outcome and rule.outcome and other.outcome != rule.outcome:
        return False
    # By the same clock the time of a case has one start.
    return other.clock != rule.clock or other.months > rule.months


def _past(rule: RetentionRule, moment: datetime) -> DatedCases:
    limit = months_before(moment, rule.months)
    return _fitting(rule).filter(since__lt=limit)


def _fitting(rule: RetentionRule) -> DatedCases:
    """The cases of the kind and outcome of the rule, with `since` by its clock."""
    cases = Case.objects.filter(erased_at=None)
    if rule.kind:
        cases = cases.filter(kind=rule.kind)
    if rule.outcome == RetentionRule.UNDECIDED:
        cases = cases.filter(status__in=UNDECIDED)
        cases = cases.exclude(Exists(_decisions()))
        return cases.annotate(since=_last_line())
    decided = _decided(cases)
    if rule.outcome:
        decided = decided.filter(outcome=rule.outcome)
    since: F | Coalesce = F("decided_at")
    if rule.clock == RetentionRule.Clock.ACTIVITY:
        since = _last_line()
    dated: DatedCases = decided.annotate(since=since)
    return dated


def _decided(cases: QuerySet[Case]) -> DatedCases:
    """The decided cases, with the `outcome` of their newest decision and `decided_at`."""
    newest = _decisions().order_by("-pk")
    outcomes = newest.values("outcome")
    # If a second person agreed, the case was decided at that time.
    times = newest.annotate(at=Coalesce("second_at", "made_at")).values("at")
    cases = cases.filter(status=Case.Status.DECIDED)
    cases = cases.annotate(
        outcome=Subquery(outcomes[:1]),
        decided_at=Subquery(times[:1]),
    )
    return cases.exclude(outcome=None)


def _decisions() -> QuerySet[Decision]:
    return Decision.objects.filter(
        case=OuterRef("pk"),
        status=Decision.Status.STANDING,
        outcome__in=ENDING,
    )


def _last_line() -> Coalesce:
    """The time of the newest event of a case, apart from events of erasures."""
    lines = CaseEvent.objects.filter(case=OuterRef("pk"))
    lines = lines.exclude(what__startswith="erasure_")
    # One group per case. order_by() removes the default order, which would become part of GROUP
    # BY.
    group = lines.order_by().values("case")
    newest = group.annotate(newest=Max("at")).values("newest")
    return Coalesce(Subquery(newest), F("created_at"))


def wake(instance: RetentionRule, **_: object) -> None:
    """Connected to post_save: a rule that was switched on is due at once."""
    rows = RetentionRule.objects.filter(pk=instance.pk)
    if instance.is_active:
        rows.update(due_at=clock.now())
        notify.after_commit(QUEUE)
    else:
        rows.update(due_at=None)


def months_before(moment: datetime, months: int) -> datetime:
    """The same day `months` earlier; the last day of that month if it is shorter.

    The first moment of the calendar if there are not so many years.
    """
    # Months since the year 0, with January as 0.
    count = moment.year * 12 + moment.month - 1
    year, month = divmod(count - months, 12)
    month += 1
    if year < 1:
        return datetime.min.replace(tzinfo=moment.tzinfo)
    _, last_day = calendar.monthrange(year, month)
    day = min(moment.day, last_day)
    return moment.replace(year=year, month=month, day=day)
