"""How the review goes: how many decisions, how fast, and how far people and agents agree.

All figures come from the decisions of a period, of which at most MAX_DECISIONS of the newest are
read: so that the page costs the same however long the desk has been in use.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Value
from django.db.models.functions import Coalesce
from django.utils.formats import number_format
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy

from reviews import results
from reviews.access import roles
from reviews.findings.recommendations import AGREES
from reviews.models import ENDING, CheckReview, Decision, Outcome
from reviews.queue import filters

PERIODS = {
    "7": gettext_lazy("7 days"),
    "28": gettext_lazy("28 days"),
    "90": gettext_lazy("Quarter"),
}
# In place of a person, of what was approved automatically.
BY_POLICY = "decision policy"
MAX_DECISIONS = 5000
# Minutes to the decision, up to which a bar goes; the last has no end.
BUCKETS = (15, 30, 60, 120, 240, 480, 1440)
MAX_CHECKS = 12
NOTHING = "\N{EN DASH}"  # a figure without decisions
Status = Decision.Status
# What the dashboard counts of the risk: of cases that need a review, and of customers.
RISKS = {
    **{
        f"band {band}": filters.Filter(view="review", band=band)
        for band in filters.BANDS
    },
    "reviews open": filters.Filter(view="review", origin="review"),
    "reviews soon": filters.Filter(view="all", review_in="30"),
}


class _Row(NamedTuple):
    """A decision and what the figures need of its case."""

    status: str
    outcome: str
    made_at: datetime
    needs_second: bool
    recommendation: str
    username: str
    created_at: datetime  # as the next two, of the case
    due_at: datetime
    summary: object

    @property
    def minutes(self) -> float:
        """From the submission to the decision."""
        return (self.made_at - self.created_at).total_seconds() / 60


@dataclass
class Group:
    """The decisions of a day, of a person, or of all."""

    minutes: list[float] = field(default_factory=list)  # to each decision
    outcomes: Counter[str] = field(default_factory=Counter)
    in_time: int = 0
    with_recommendation: int = 0  # of the agent, to approve or to reject
    agreed: int = 0
    seconds: int = 0  # went to a second person
    returned: int = 0
    overrides: int = 0

    @property
    def decided(self) -> int:
        return len(self.minutes)

    @property
    def median(self) -> str:
        if not self.minutes:
            return NOTHING
        return minutes_in_words(median(self.minutes))

    @property
    def on_time(self) -> str:
        return percent(self.in_time, self.decided)

    @property
    def agreement(self) -> str:
        return percent(self.agreed, self.with_recommendation)

    @property
    def overturned(self) -> str:
        return percent(self.returned, self.seconds)


@dataclass
class Check:
    """The verdicts of one check in the decided cases, and how often people overrode them."""

    name: str
    passed: int = 0
    doubtful: int = 0
    failed: int = 0
    reviewed: int = 0
    overridden: int = 0

    @property
    def total(self) -> int:
        return self.passed + self.doubtful + self.failed

    @property
    def agreement(self) -> str:
        """How often people confirmed what the check had against a case."""
        return percent(self.reviewed, self.reviewed + self.overridden)

    @property
    def need(self) -> float:
        """The share of cases in which it needed a person."""
        if not self.total:
            return 0
        return (self.failed + self.doubtful) / self.total


@dataclass
class Dashboard:
    since: date
    until: date
    all: Group
    days: dict[date, Group]
    people: dict[str, Group]
    buckets: list[int]
    checks: list[Check]
    is_cut: bool

    @property
    def period(self) -> str:
        """As the queue's filter has it."""
        return f"{self.since}..{self.until}"


def of(user: User, days: int) -> Dashboard:
    """The figures of the last days, today included, of the cases that the user may see."""
    today = now().date()
    since = today - timedelta(days=days - 1)
    start = datetime(
        since.year,
        since.month,
        since.day,
        tzinfo=UTC,
    )
    rows = _rows(user, start)
    # Also a day without a decision has its place in the chart.
    group_by_day = {}
    for n in range(days):
        group_by_day[since + timedelta(days=n)] = Group()
    dashboard = Dashboard(
        since=since,
        until=today,
        all=Group(),
        days=group_by_day,
        people=defaultdict(Group),
        buckets=[0] * (len(BUCKETS) + 1),
        checks=[],
        is_cut=len(rows) > MAX_DECISIONS,
    )
    checks: dict[str, Check] = {}
    for row in rows[:MAX_DECISIONS]:
        _count(dashboard, row)
        if row.status == Status.STANDING:
            _count_checks(checks, row.summary)
    _count_reviews(dashboard, checks, user, start)
    by_need = sorted(checks.values(), key=lambda check: check.need, reverse=True)
    dashboard.checks = by_need[:MAX_CHECKS]
    return dashboard


def _rows(user: User, start: datetime) -> list[_Row]:
    """The newest decisions since then, one more than are counted."""
    statuses = [Status.STANDING, Status.RETURNED]
    decisions = Decision.objects.filter(
        status__in=statuses,
        outcome__in=ENDING,
        made_at__gte=start,
    )
    visible = roles.only_visible(user, decisions, "case__connection")
    newest_first = visible.order_by("-made_at")
    values = newest_first.values_list(
        "status",
        "outcome",
        "made_at",
        "needs_second",
        "recommendation",
        Coalesce("made_by__username", Value(BY_POLICY)),
        "case__created_at",
        "case__due_at",
        "case__summary",
    )
    rows: list[_Row] = []
    for row in values[: MAX_DECISIONS + 1]:
        rows.append(_Row._make(row))
    return rows


def _count(dashboard: Dashboard, row: _Row) -> None:
    is_returned = row.status == Status.RETURNED
    groups = _groups(dashboard, row)
    for group in groups:
        group.seconds += row.needs_second
        group.returned += is_returned
    if is_returned:
        # A second person sent it back: it decided nothing.
        return
    bucket = sum(row.minutes >= bound for bound in BUCKETS)
    dashboard.buckets[bucket] += 1
    is_in_time = row.made_at <= row.due_at
    recommendation = row.recommendation.strip().lower()
    has_recommendation = any(recommendation in words for words in AGREES.values())
    agreed = recommendation in AGREES[Outcome(row.outcome)]
    for group in groups:
        group.minutes.append(row.minutes)
        group.outcomes[row.outcome] += 1
        group.in_time += is_in_time
        group.with_recommendation += has_recommendation
        group.agreed += agreed


def _groups(dashboard: Dashboard, row: _Row) -> tuple[Group, Group, Group]:
    """Where the decision counts: with all, on its day, and for the person who made it."""
    day = row.made_at.date()
    of_day = dashboard.days.setdefault(day, Group())
    of_person = dashboard.people[row.username]
    return dashboard.all, of_day, of_person


def _count_checks(checks: dict[str, Check], summary: object) -> None:
    for name, verdict in _verdicts(summary):
        check = checks.setdefault(name, Check(name))
        check.passed += verdict == "pass"
        check.failed += verdict in {"fail", "error"}
        check.doubtful += verdict in {"review", "inconclusive"}


def _verdicts(summary: object) -> Iterator[tuple[str, str]]:
    """The labels and verdicts of a case's summary, whatever shape it has."""
    if isinstance(summary, dict):
        pairs = summary.get("checks")
    else:
        pairs = None
    if not isinstance(pairs, list):
        return
    for pair in pairs:
        match pair:
            case [str(name), str(verdict)]:
                yield name, verdict


def _count_reviews(
    dashboard: Dashboard, checks: dict[str, Check], user: User, start: datetime
) -> None:
    """How people reviewed checks: confirmed or overridden."""
    for check_id, kind, username in _reviews(user, start):
        name = results.check_label(check_id)
        check = checks.setdefault(name, Check(name))
        if kind != CheckReview.Kind.OVERRIDDEN:
            check.reviewed += 1
            continue
        check.overridden += 1
        dashboard.all.overrides += 1
        dashboard.people[username].overrides += 1


def _reviews(user: User, start: datetime) -> Iterable[tuple[str, str, str]]:
    reviews = CheckReview.objects.filter(at__gte=start)
    visible = roles.only_visible(user, reviews, "job__connection")
    newest_first = visible.order_by("-at")
    values = newest_first.values_list("check_id", "kind", "by__username")
    return values[:MAX_DECISIONS]


def percent(part: int, whole: int) -> str:
    if not whole:
        return NOTHING
    # Django cuts what is behind the last decimal.
    share = round(100 * part / whole, 1)
    return f"{number_format(share, 1)} %"


def minutes_in_words(minutes: float) -> str:
    if minutes < 60:
        return gettext("%(minutes)d m") % {"minutes": round(minutes)}
    if minutes < 48 * 60:
        words = {"hours": minutes // 60, "minutes": round(minutes % 60)}
        return gettext("%(hours)d h %(minutes)02d m") % words
    return gettext("%(days)s d") % {"days": f"{minutes / 1440:.0f}"}


def bound_in_words(minutes: int) -> str:
    """One of BUCKETS: from an hour on they are whole hours."""
    if minutes < 60:
        return minutes_in_words(minutes)
    return gettext("%(hours)d h") % {"hours": minutes // 60}


def open_cases(user: User) -> dict[str, int]:
    """How many cases wait now, by view, and by the names of RISKS; not beyond the queue's cap."""
    views = ("review", "mine", "attention", "second", "escalated", "running", "waiting")
    filter_by_view = {}
    for view in views:
        filter_by_view[view] = filters.Filter(view=view)
    connections = roles.connection_ids(user)
    return filters.counts({**filter_by_view, **RISKS}, user, connections)
