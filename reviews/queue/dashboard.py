"""How the review goes: what was decided, how fast, and how far people and agents agree.

All figures come from the decisions of a period, of which at most MOST of the newest are read: so
that the page costs the same however long the desk has been in use.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timezone import now

from reviews import results
from reviews.access import roles
from reviews.findings.recommendations import AGREES
from reviews.models import ENDING, CheckReview, Decision
from reviews.queue import filters

PERIODS = {"7": "7 days", "28": "28 days", "90": "Quarter"}
MOST = 5000
# Minutes to the decision, up to which a bar goes; the last has no end.
BUCKETS = (15, 30, 60, 120, 240, 480, 1440)
MOST_CHECKS = 12
NOTHING = "\N{EN DASH}"  # a figure of no decision
Status = Decision.Status


@dataclass
class Group:
    """The decisions of a day, of a person, or of all."""

    took: list[float] = field(default_factory=list)  # minutes
    outcomes: Counter[str] = field(default_factory=Counter)
    in_time: int = 0
    asked: int = 0  # the agent had recommended one or the other
    agreed: int = 0
    seconds: int = 0  # went to a second person
    returned: int = 0
    overrides: int = 0

    @property
    def decided(self) -> int:
        return len(self.took)

    @property
    def median(self) -> str:
        return minutes_in_words(median(self.took)) if self.took else NOTHING

    @property
    def on_time(self) -> str:
        return percent(self.in_time, self.decided)

    @property
    def agreement(self) -> str:
        return percent(self.agreed, self.asked)

    @property
    def overturned(self) -> str:
        return percent(self.returned, self.seconds)


@dataclass
class Check:
    """What one check said of the cases decided, and what people said of it."""

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
        """How often people let stand what the check held against a case."""
        return percent(self.reviewed, self.reviewed + self.overridden)


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
    start = datetime.combine(since, datetime.min.time(), now().tzinfo)
    made = Decision.objects.filter(
        Q(status=Status.STANDING) | Q(status=Status.RETURNED), outcome__in=ENDING, made_at__gte=start
    )  # fmt: skip
    rows = list(
        roles.only_visible(user, made, "case__connection")
        .order_by("-made_at")
        .values_list(
            "status", "outcome", "made_at", "needs_second", "recommendation", "made_by__username",
            "case__created_at", "case__due_at", "case__summary",
        )[: MOST + 1]
    )  # fmt: skip
    found = Dashboard(
        since, today, Group(), {since + timedelta(days=n): Group() for n in range(days)},
        defaultdict(Group), [0] * (len(BUCKETS) + 1), [], is_cut=len(rows) > MOST,
    )  # fmt: skip
    for row in rows[:MOST]:
        _count(found, *row[:-1])
    checks = _checks([row[-1] for row in rows[:MOST] if row[0] == Status.STANDING])
    _reviews(found, checks, user, start)
    found.checks = sorted(checks.values(), key=_need, reverse=True)[:MOST_CHECKS]
    return found


def _count(
    found: Dashboard, status: str, outcome: str, made_at: datetime, needs_second: bool,  # noqa: FBT001
    recommendation: str, by: str, created_at: datetime, due_at: datetime,
) -> None:  # fmt: skip
    day = found.days.setdefault(made_at.date(), Group())
    groups = (found.all, day, found.people[by])
    for group in groups:
        group.seconds += needs_second
        group.returned += status == Status.RETURNED
    if status == Status.RETURNED:
        return
    took = (made_at - created_at).total_seconds() / 60
    found.buckets[sum(took >= bound for bound in BUCKETS)] += 1
    said = recommendation.strip().lower()
    for group in groups:
        group.took.append(took)
        group.outcomes[outcome] += 1
        group.in_time += made_at <= due_at
        if any(said in words for words in AGREES.values()):
            group.asked += 1
            group.agreed += any(said in AGREES[end] for end in AGREES if end == outcome)


def _checks(summaries: list[Any]) -> dict[str, Check]:
    found: dict[str, Check] = {}
    for summary in summaries:
        pairs = summary.get("checks") if isinstance(summary, dict) else None
        for pair in pairs if isinstance(pairs, list) else ():
            if not (isinstance(pair, list) and [type(part) for part in pair] == [str, str]):
                continue
            check = found.setdefault(pair[0], Check(pair[0]))
            check.passed += pair[1] == "pass"
            check.failed += pair[1] in {"fail", "error"}
            check.doubtful += pair[1] in {"review", "inconclusive"}
    return found


def _reviews(found: Dashboard, checks: dict[str, Check], user: User, start: datetime) -> None:
    """What people said of checks: let stand as it was, or overridden."""
    made = roles.only_visible(user, CheckReview.objects.filter(at__gte=start), "job__connection")
    said = made.order_by("-at").values_list("check_id", "kind", "by__username")
    for check_id, kind, by in said[:MOST]:
        name = results.check_label(check_id)
        check = checks.setdefault(name, Check(name))
        is_override = kind == CheckReview.Kind.OVERRIDDEN
        check.overridden += is_override
        check.reviewed += not is_override
        for group in (found.all, found.people[by]):
            group.overrides += is_override


def _need(check: Check) -> float:
    return (check.failed + check.doubtful) / check.total if check.total else 0


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def minutes_in_words(minutes: float) -> str:
    if minutes < 60:
        return f"{minutes:.0f} m"
    if minutes < 48 * 60:
        return f"{minutes // 60:.0f} h {minutes % 60:02.0f} m"
    return f"{minutes / 1440:.0f} d"


def open_cases(user: User) -> dict[str, int]:
    """How many cases wait now; not beyond the queue's cap."""
    views = ("review", "mine", "attention", "second", "escalated", "running", "waiting")
    wanted = {view: filters.Filter(view=view) for view in views}
    return filters.counts(wanted, user, roles.connection_ids(user))
