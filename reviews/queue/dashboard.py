"""The dashboard: the number and the speed of decisions, and how often people and agents agree.

All figures come from the newest decisions of a period, at most MAX_DECISIONS. So the page costs
the same however many decisions the desk has. As in the report of a period, a decision counts at the
moment at which it became final: when one person made it, or when the second person agreed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Case as Choice
from django.db.models import Exists, OuterRef, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.formats import number_format
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy

from reviews import results
from reviews.access import roles
from reviews.decisions.policies import looks
from reviews.findings.recommendations import AGREES
from reviews.models import (
    ENDING,
    Case,
    CheckReview,
    Decision,
    Outcome,
)
from reviews.queue import filters

PERIODS = {
    "7": gettext_lazy("7 days"),
    "28": gettext_lazy("28 days"),
    "90": gettext_lazy("Quarter"),
}
MAX_DECISIONS = 5000
# Upper bounds of the bars, in minutes from submission to decision. One more bar has no upper
# bound.
BUCKETS = (15, 30, 60, 120, 240, 480, 1440)
MAX_CHECKS = 12
HIDDEN = ""  # the outcome of a decision whose second look is not given yet
NOTHING = "\N{EN DASH}"  # shown for a figure without decisions
Status = Decision.Status
# The risk figures of the dashboard: cases that need review by band, and periodic reviews.
RISKS = {
    **{
        f"band {band}": filters.Filter(view="review", band=band)
        for band in filters.BANDS
    },
    "reviews open": filters.Filter(view="review", origin="review"),
    "reviews soon": filters.Filter(view="all", review_in="30"),
}


class _Row(NamedTuple):
    """A decision, with the columns of its case that the figures need."""

    status: str
    outcome: str
    final_at: datetime
    needs_second: bool
    recommendation: str
    username: str
    created_at: datetime  # this and the next two are of the case
    due_at: datetime
    summary: object

    @property
    def minutes(self) -> float:
        """From the submission to the final decision."""
        return (self.final_at - self.created_at).total_seconds() / 60


@dataclass
class Group:
    """The figures of a group of decisions: of one day, of one person, or of all."""

    # From submission to decision, one entry per decision.
    minutes: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    in_time: int = 0
    with_recommendation: int = 0  # the agent recommended to approve or to reject
    agreed: int = 0
    seconds: int = 0  # decisions that needed a second person
    returned: int = 0  # sent back by the second person
    overrides: int = 0  # checks that were overridden

    def add(self, other: Group) -> None:
        self.minutes += other.minutes
        self.outcomes += other.outcomes
        self.in_time += other.in_time
        self.with_recommendation += other.with_recommendation
        self.agreed += other.agreed
        self.seconds += other.seconds
        self.returned += other.returned
        self.overrides += other.overrides

    @property
    def decided(self) -> int:
        return len(self.minutes)

    @property
    def median_minutes(self) -> float | None:
        return median(self.minutes) if self.minutes else None

    @property
    def median(self) -> str:
        if self.median_minutes is None:
            return NOTHING
        return minutes_in_words(self.median_minutes)

    @property
    def percent_on_time(self) -> float | None:
        return share(self.in_time, self.decided)

    @property
    def on_time(self) -> str:
        return percent(self.in_time, self.decided)

    @property
    def percent_agreed(self) -> float | None:
        return share(self.agreed, self.with_recommendation)

    @property
    def agreement(self) -> str:
        return percent(self.agreed, self.with_recommendation)

    @property
    def percent_overturned(self) -> float | None:
        return share(self.returned, self.seconds)

    @property
    def overturned(self) -> str:
        return percent(self.returned, self.seconds)


@dataclass
class Check:
    """The verdicts of one check in decided cases, and how often people overrode them."""

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
    def judged(self) -> int:
        """How many doubtful or failed results people confirmed or overrode."""
        return self.reviewed + self.overridden

    @property
    def agreement(self) -> str:
        """How often people confirmed a doubtful or failed result of the check."""
        return percent(self.reviewed, self.judged)

    @property
    def need(self) -> float:
        """The share of cases in which the check needed a person, from 0 to 1."""
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
    # The previous period of the same length, by day. Empty if it has more decisions than are read.
    days_before: dict[date, Group] = field(default_factory=dict)
    before: Group = field(default_factory=Group)

    @property
    def period(self) -> str:
        """The period as a value of the queue filter `decided`."""
        return f"{self.since}..{self.until}"


def of(user: User, days: int) -> Dashboard:
    """The figures of the last `days` days, including today, for cases that the user may see."""
    today = now().date()
    since = today - timedelta(days=days - 1)
    start = datetime(
        since.year,
        since.month,
        since.day,
        tzinfo=UTC,
    )
    rows = _rows(user, start)
    # A day without decisions has its place in the chart, too.
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
    _count_before(dashboard, user, start, days)
    by_need = sorted(checks.values(), key=lambda check: check.need, reverse=True)
    dashboard.checks = by_need[:MAX_CHECKS]
    return dashboard


def _rows(user: User, start: datetime, end: datetime | None = None) -> list[_Row]:
    """Return the newest decisions from `start` to `end`, one more than are counted. No `end`: until now."""
    statuses = [Status.STANDING, Status.RETURNED]
    decisions = Decision.objects.filter(
        status__in=statuses,
        outcome__in=ENDING,
    )
    decisions = roles.only_visible(user, decisions, "case__connection")
    # Two queries, because each column has an index and their newer value has none.
    by_one = decisions.filter(second_at=None, made_at__gte=start)
    by_two = decisions.filter(second_at__gte=start)
    if end is not None:
        by_one = by_one.filter(made_at__lt=end)
        by_two = by_two.filter(second_at__lt=end)
    rows = _newest(by_one, "made_at") + _newest(by_two, "second_at")
    rows.sort(key=lambda row: row.final_at, reverse=True)
    return rows[: MAX_DECISIONS + 1]


def _newest(decisions: QuerySet[Decision], moment: str) -> list[_Row]:
    """The newest of these decisions. `moment` is the column of when they became final."""
    # Whoever gives a second look must not know the outcome. On a day with few decisions the bars
    # would tell it, and so would the agreement with the agent.
    is_hidden = When(looks.awaited(), then=Value(HIDDEN))
    values = decisions.order_by(f"-{moment}").values_list(
        "status",
        Choice(is_hidden, default="outcome"),
        moment,
        "needs_second",
        "recommendation",
        Coalesce("made_by__username", Value(filters.BY_POLICY)),
        "case__created_at",
        Coalesce("due_at", "case__due_at"),
        "case__summary",
    )
    return [_Row._make(row) for row in values[: MAX_DECISIONS + 1]]


def _count(dashboard: Dashboard, row: _Row) -> None:
    _add(_groups(dashboard, row), row)
    if row.status != Status.RETURNED:
        # The number of bounds that the value has reached is the index of its bar.
        bucket = sum(row.minutes >= bound for bound in BUCKETS)
        dashboard.buckets[bucket] += 1


def _count_before(dashboard: Dashboard, user: User, start: datetime, days: int) -> None:
    """Count the previous period of the same length, for comparison."""
    rows = _rows(user, start - timedelta(days=days), start)
    if len(rows) > MAX_DECISIONS:
        # A part of it cannot be compared with the whole of this period.
        return
    for row in rows:
        of_day = dashboard.days_before.setdefault(row.final_at.date(), Group())
        _add((dashboard.before, of_day), row)


def _add(groups: Sequence[Group], row: _Row) -> None:
    is_returned = row.status == Status.RETURNED
    for group in groups:
        group.seconds += row.needs_second
        group.returned += is_returned
    if is_returned:
        # A decision that was sent back by the second person does not count as a decision.
        return
    is_in_time = row.final_at <= row.due_at
    recommendation = row.recommendation.strip().lower()
    has_recommendation = any(recommendation in words for words in AGREES.values())
    agreed = False
    if row.outcome == HIDDEN:
        has_recommendation = False
    else:
        agreed = recommendation in AGREES[Outcome(row.outcome)]
    for group in groups:
        group.minutes.append(row.minutes)
        group.outcomes[row.outcome] += 1
        group.in_time += is_in_time
        group.with_recommendation += has_recommendation
        group.agreed += agreed


def _groups(dashboard: Dashboard, row: _Row) -> tuple[Group, Group, Group]:
    """The groups that count the decision: all, its day, and the person who made it."""
    day = row.final_at.date()
    of_day = dashboard.days.setdefault(day, Group())
    of_person = dashboard.people[row.username]
    return dashboard.all, of_day, of_person


def _count_checks(checks: dict[str, Check], summary: object) -> None:
    for name, verdict in _verdicts(summary):
        check = checks.setdefault(name, Check(name))
        check.passed += verdict in filters.VERDICTS["pass"]
        check.failed += verdict in filters.VERDICTS["fail"]
        check.doubtful += verdict in filters.VERDICTS["review"]


def _verdicts(summary: object) -> Iterator[tuple[str, str]]:
    """The labels and verdicts in the summary of a case, whatever JSON it holds."""
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
    """Count the reviews of checks by people: confirmed or overridden."""
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


def share(part: int, whole: int) -> float | None:
    """Return the share in percent with one decimal; None if `whole` is 0."""
    if not whole:
        return None
    # number_format truncates further decimals, so the value is rounded first.
    return round(100 * part / whole, 1)


def percent(part: int, whole: int) -> str:
    value = share(part, whole)
    if value is None:
        return NOTHING
    return f"{number_format(value, 1)} %"


def last_days(dashboard: Dashboard, day: date, count: int) -> Group:
    """Return the decisions of `count` days. The last of them is `day`."""
    total = Group()
    for number in range(count):
        earlier = day - timedelta(days=number)
        group = dashboard.days.get(earlier) or dashboard.days_before.get(earlier)
        if group is not None:
            total.add(group)
    return total


def undecided(user: User, dashboard: Dashboard) -> dict[date, int]:
    """The number of cases without a decision at the end of each day, and of the day before the
    period. Empty if the period has more decisions or cases than are read.

    It is counted back from the cases that have no decision now.
    """
    cases = roles.visible(user)
    start = datetime.combine(dashboard.since, time(), UTC)
    submissions = cases.filter(created_at__gte=start)
    submitted = _by_day(submissions.values_list("created_at", flat=True))
    closed, reopened = _closed_and_reopened(user, start)
    is_open = cases.exclude(status=Case.Status.DECIDED)
    count = is_open.order_by()[: MAX_DECISIONS + 1].count()
    totals = (submitted.total(), closed.total(), reopened.total(), count)
    if dashboard.is_cut or max(totals) > MAX_DECISIONS:
        return {}
    counts = {}
    for day in sorted(dashboard.days, reverse=True):
        counts[day] = count
        count += closed[day] - reopened[day] - submitted[day]
    counts[dashboard.since - timedelta(days=1)] = count
    return counts


def _closed_and_reopened(
    user: User, start: datetime
) -> tuple[Counter[date], Counter[date]]:
    """How many cases were closed and reopened on each day from `start`.

    A case is closed by a decision that is final: where a second person is needed, when that person
    has agreed. One that nobody decided is closed when it is erased.
    """
    final = Decision.objects.filter(
        status__in=[Status.STANDING, Status.REOPENED], outcome__in=ENDING
    )
    final = roles.only_visible(user, final, "case__connection")
    by_one = final.filter(second_at=None, made_at__gte=start)
    closed = _by_day(by_one.values_list("made_at", flat=True))
    by_two = final.filter(second_at__gte=start)
    closed += _by_day(by_two.values_list("second_at", flat=True))
    ends = final.filter(status=Status.REOPENED, updated_at__gte=start)
    reopened = _by_day(ends.values_list("updated_at", flat=True))
    stands = Decision.objects.filter(
        case=OuterRef("pk"), status=Status.STANDING, outcome__in=ENDING
    )
    erased = roles.visible(user).filter(~Exists(stands), erased_at__gte=start)
    closed += _by_day(erased.values_list("erased_at", flat=True))
    return closed, reopened


def _by_day(moments: QuerySet[Any, datetime | None]) -> Counter[date]:
    """How many of the moments are on each day, up to one more than MAX_DECISIONS."""
    counts: Counter[date] = Counter()
    for moment in moments.order_by()[: MAX_DECISIONS + 1]:
        if moment is not None:
            counts[moment.date()] += 1
    return counts


def minutes_in_words(minutes: float) -> str:
    # Rounded first: otherwise 119.6 minutes would be 1 h 60 m.
    whole = round(minutes)
    if whole < 60:
        return gettext("%(minutes)d m") % {"minutes": whole}
    if whole < 48 * 60:
        words = {"hours": whole // 60, "minutes": whole % 60}
        return gettext("%(hours)d h %(minutes)02d m") % words
    return gettext("%(days)s d") % {"days": f"{minutes / 1440:.0f}"}


def bound_in_words(minutes: int) -> str:
    """A bound of BUCKETS in words. From 60 minutes on, bounds are whole hours."""
    if minutes < 60:
        return minutes_in_words(minutes)
    return gettext("%(hours)d h") % {"hours": minutes // 60}


def open_cases(user: User) -> dict[str, int]:
    """The numbers of open cases by view, and by the names of RISKS, up to the cap of the queue."""
    views = ("review", "mine", "attention", "second", "escalated", "running", "waiting")
    filter_by_view = {}
    for view in views:
        filter_by_view[view] = filters.Filter(view=view)
    connections = roles.connection_ids(user)
    return filters.counts({**filter_by_view, **RISKS}, user, connections)
