"""The figures of a period for a supervisor: volumes, outcomes, times, and controls.

All are counted from rows that stay, so a report can be made again at any time. A decision
counts on the day on which it became final: when one person made it, or when the second person
agreed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from statistics import median
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Case as Choice
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.languages import number
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.decisions.decisions import RefusedError
from reviews.decisions.policies import error_rates, looks
from reviews.findings.recommendations import AGREES
from reviews.models import (
    ENDING,
    BulkApproval,
    Case,
    CheckReview,
    Decision,
    Dismissal,
    Kind,
    Outcome,
)
from reviews.queue import bulk_approvals
from reviews.queue.bulk_approvals import Sample
from reviews.queue.dashboard import HIDDEN, NOTHING, minutes_in_words, percent
from reviews.results import check_label
from reviews.results.words import country_name, translated

MOST_DAYS = 366
# The limit of one report; this many take about 10 s. A report is never cut: people with more
# decisions choose a shorter period.
MOST_DECISIONS = 200_000
MOST_ROWS = 10  # countries, reasons and checks named in a section; the rest is one line
# The statuses of a decision that became final. It may have been reopened later.
FINAL = (Decision.Status.STANDING, Decision.Status.REOPENED)
MINUTES = "minutes"


@dataclass(frozen=True)
class Period:
    """A period of whole days in UTC. Both days are included."""

    first: date
    last: date

    @classmethod
    def last_month(cls) -> Period:
        end = now().date().replace(day=1) - timedelta(days=1)
        return cls(end.replace(day=1), end)

    @classmethod
    def of(cls, first: str, last: str) -> Period:
        """A period from two days in ISO form. Raises RefusedError."""
        try:
            period = cls(date.fromisoformat(first), date.fromisoformat(last))
        except ValueError as exc:
            raise RefusedError(_("Choose two days, such as 2026-03-31.")) from exc
        if period.last < period.first:
            raise RefusedError(_("The last day is before the first one."))
        if period.last > now().date():
            raise RefusedError(_("The last day has not come yet."))
        if (period.last - period.first).days >= MOST_DAYS:
            raise RefusedError(_("At most %(most)d days.") % {"most": MOST_DAYS})
        return period

    @property
    def start(self) -> datetime:
        return datetime.combine(self.first, time(), UTC)

    @property
    def end(self) -> datetime:
        """The first moment after the period."""
        return datetime.combine(self.last, time(), UTC) + timedelta(days=1)

    def __str__(self) -> str:
        return _("%(first)s to %(last)s") % {"first": self.first, "last": self.last}


@dataclass(frozen=True)
class Figure:
    """A named number. `of` is the total that it is a part of."""

    name: str
    value: float | None  # None: there is nothing to count it from
    of: int | None = None
    unit: str = ""

    @property
    def words(self) -> str:
        if self.value is None:
            return NOTHING
        if self.unit == MINUTES:
            return minutes_in_words(self.value)
        return f"{self.value:,.0f}"

    @property
    def share(self) -> str:
        if self.of is None or self.value is None:
            return ""
        return percent(int(self.value), self.of)


@dataclass(frozen=True)
class Section:
    title: str
    figures: Sequence[Figure]
    note: str = ""


@dataclass(frozen=True)
class PeriodReport:
    period: Period
    sections: Sequence[Section]
    samples: Sequence[Sample]


class _Row(NamedTuple):
    """A final decision, with the columns of its case that the figures need."""

    case_id: int
    outcome: str
    status: str
    reasons: list[list[str]]
    recommendation: str
    needs_second: bool
    bulk: int | None
    made_by: int | None
    made_at: datetime
    second_at: datetime | None
    kind: str
    created_at: datetime
    due_at: datetime

    @property
    def final_at(self) -> datetime:
        return self.second_at or self.made_at

    @property
    def minutes(self) -> float:
        """From the submission of the case to the final decision."""
        return (self.final_at - self.created_at).total_seconds() / 60


@dataclass
class _Counts:
    """Counters over the final decisions, filled in a single pass."""

    # A case that was reopened has several decisions.
    kind_by_case: dict[int, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    minutes: list[float] = field(default_factory=list)
    in_time: int = 0
    seconded: int = 0
    bulk: int = 0
    automatic: int = 0
    reopened: int = 0
    recommended: int = 0
    agreed: int = 0

    def add(self, row: _Row) -> None:
        self.kind_by_case[row.case_id] = row.kind
        self.outcomes[row.outcome] += 1
        self.minutes.append(row.minutes)
        self.in_time += row.final_at <= row.due_at
        self.reopened += row.status == Decision.Status.REOPENED
        if row.outcome != HIDDEN:
            self._add_outcome(row)

    def _add_outcome(self, row: _Row) -> None:
        """Count what tells the outcome of the decision."""
        for code, label in row.reasons:
            self.reasons[f"{code} {translated(label)}"] += 1
        self.seconded += row.needs_second
        self.bulk += row.bulk is not None
        self.automatic += row.made_by is None
        recommendation = row.recommendation.strip().lower()
        for words in AGREES.values():
            if recommendation in words:
                self.recommended += 1
                break
        self.agreed += recommendation in AGREES[Outcome(row.outcome)]

    @property
    def all(self) -> int:
        return len(self.minutes)


def report(period: Period, *, actor: User) -> PeriodReport:
    """The figures for the cases that the person may see.

    Raises PermissionDenied and RefusedError.
    """
    roles.require(actor, roles.EXPORT)
    counts = _Counts()
    for row in _decisions(period, actor):
        counts.add(row)
    samples = _samples(period, actor)
    sections = (
        _volumes(period, actor, counts),
        _outcomes(period, actor, counts),
        _times(counts),
        _control(period, actor, counts),
        _overrides(period, actor),
        _sampling(samples, counts),
        _second_looks(period, actor),
    )
    return PeriodReport(period, sections, samples)


def _second_looks(period: Period, actor: User) -> Section:
    """The second looks that were completed in the period. The report names no people."""
    looks_in_period = looks.visible(actor).filter(
        given_at__gte=period.start, given_at__lt=period.end
    )
    differ = error_rates.of(looks_in_period).all.differ
    note = _("A second look is given without knowing the decision.")
    if differ.of:
        words = _("Another outcome: %(rate)s, an interval of 95 percent.")
        note += f" {words % {'rate': differ.words}}"
    figures = [
        Figure(_("Second looks given"), differ.of),
        Figure(_("Second looks with another outcome"), differ.count, differ.of),
    ]
    return Section(_("Second looks"), figures, note)


def _final_in(start: datetime | None, end: datetime) -> Q:
    """The condition that a decision became final from `start` (if given) until before `end`."""
    by_one = Q(second_at=None, made_at__lt=end)
    by_two = Q(second_at__lt=end)
    if start is not None:
        by_one &= Q(made_at__gte=start)
        by_two &= Q(second_at__gte=start)
    return Q(by_one | by_two, outcome__in=ENDING, status__in=FINAL)


def _decisions(period: Period, actor: User) -> Iterator[_Row]:
    rows = Decision.objects.filter(_final_in(period.start, period.end))
    rows = roles.only_visible(actor, rows, "case__connection")
    if rows.count() > MOST_DECISIONS:
        raise RefusedError(
            _("More than %(most)s decisions: choose a shorter period.")
            % {"most": number(MOST_DECISIONS)}
        )
    is_awaited = When(looks.awaited(), then=Value(HIDDEN))
    values = rows.order_by("pk").values_list(
        "case_id",
        Choice(is_awaited, default="outcome"),
        "status",
        "reasons",
        "recommendation",
        "needs_second",
        "bulk",
        "made_by",
        "made_at",
        "second_at",
        "case__kind",
        "case__created_at",
        Coalesce("due_at", "case__due_at"),
    )
    return (_Row._make(row) for row in values.iterator())


def _volumes(period: Period, actor: User, counts: _Counts) -> Section:
    cases = roles.visible(actor)
    received = cases.filter(
        created_at__gte=period.start,
        created_at__lt=period.end,
    )
    by_kind = _by(received, "kind")
    total = by_kind.total()
    figures = [Figure(_("Cases received"), total)]
    figures += _of_kinds(_("Received: %(kind)s"), by_kind)
    decided = Counter(counts.kind_by_case.values())
    figures.append(Figure(_("Cases decided"), decided.total()))
    figures += _of_kinds(_("Decided: %(kind)s"), decided)
    figures.append(Figure(_("Open at the end"), _open_at(period.end, cases)))
    countries = _by(received, "country")
    for code, count in _most(countries):
        country = country_name(code) if code else _("not known")
        name = _("Received from: %(country)s") % {"country": country}
        figures.append(Figure(name, count, total))
    return Section(_("Volumes"), figures)


def _of_kinds(name: str, counts: Counter[str]) -> list[Figure]:
    """A figure for each kind of case, as a part of all of them. `name` has a place for the kind."""
    total = counts.total()
    figures = []
    for kind in Kind:
        words = {"kind": in_sentence(kind.label)}
        figure = Figure(name % words, counts[kind.value], total)
        figures.append(figure)
    return figures


def _open_at(moment: datetime, cases: QuerySet[Case]) -> int:
    """The number of cases that were open at that moment: opened before, without a decision in
    force. A case that nobody decided is open until it is erased.
    """
    reopened_later = Q(status=Decision.Status.REOPENED, updated_at__gte=moment)
    stood = Decision.objects.filter(
        Q(status=Decision.Status.STANDING) | reopened_later,
        _final_in(None, moment),
        case=OuterRef("pk"),
    )
    cases = cases.exclude(erased_at__lt=moment)
    return cases.filter(~Exists(stood), created_at__lt=moment).count()


def _by(rows: QuerySet[Case], column: str) -> Counter[str]:
    pairs = rows.order_by().values_list(column).annotate(count=Count("pk"))
    return Counter(dict(pairs))


def _most(counts: Counter[str]) -> Iterable[tuple[str, int]]:
    """The most frequent names with their counts; all others as one line."""
    # Equal counts are ordered by name, so that a repeated report is identical.
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    yield from ordered[:MOST_ROWS]
    others = sum(count for _name, count in ordered[MOST_ROWS:])
    if others:
        yield _("others"), others


def _outcomes(period: Period, actor: User, counts: _Counts) -> Section:
    handed = Decision.objects.exclude(outcome__in=ENDING)
    handed = handed.filter(
        made_at__gte=period.start,
        made_at__lt=period.end,
    )
    handed = roles.only_visible(actor, handed, "case__connection")
    pairs = handed.order_by().values_list("outcome").annotate(count=Count("pk"))
    by_outcome = Counter(dict(pairs))
    approved = counts.outcomes[Outcome.APPROVE]
    rejected = counts.outcomes[Outcome.REJECT]
    figures = [
        Figure(_("Approved"), approved, counts.all),
        Figure(_("Rejected"), rejected, counts.all),
        Figure(_("Before a second look"), counts.outcomes[HIDDEN], counts.all),
        Figure(_("Information requested"), by_outcome[Outcome.REQUEST]),
        Figure(_("Escalated"), by_outcome[Outcome.ESCALATE]),
    ]
    for reason, count in _most(counts.reasons):
        name = _("Reason: %(reason)s") % {"reason": reason}
        figure = Figure(name, count, counts.all)
        figures.append(figure)
    note = _(
        "A decision may give several reasons. A case that was reopened counts with each of its decisions."
    )
    note += " " + _(
        "Whoever gives a second look must not know the outcome. Until then the outcome of such a"
        " decision is not told, and nor are its reasons and who agreed."
    )
    return Section(_("Outcomes"), figures, note)


def _times(counts: _Counts) -> Section:
    minutes = counts.minutes
    middle = median(minutes) if minutes else None
    figures = [
        Figure(_("Median time to the decision"), middle, unit=MINUTES),
        Figure(_("Nine of ten within"), _nine_of_ten(minutes), unit=MINUTES),
        Figure(_("Longest"), max(minutes, default=None), unit=MINUTES),
        Figure(_("Decided in time (SLA)"), counts.in_time, counts.all),
    ]
    note = _(
        "From the submission of the case. In time: before the moment at which the case is due."
    )
    return Section(_("Times"), figures, note)


def _nine_of_ten(minutes: Sequence[float]) -> float | None:
    """The least of these times within which at least nine of ten were decided."""
    if not minutes:
        return None
    # A measured time: quantiles() extrapolates, for few decisions beyond the longest of them.
    ordered = sorted(minutes)
    rank = math.ceil(9 * len(ordered) / 10)
    return ordered[rank - 1]


def _control(period: Period, actor: User, counts: _Counts) -> Section:
    returned = Decision.objects.filter(
        status=Decision.Status.RETURNED,
        second_at__gte=period.start,
        second_at__lt=period.end,
    )
    returned = roles.only_visible(actor, returned, "case__connection")
    figures = [
        Figure(_("Approved automatically"), counts.automatic, counts.all),
        Figure(_("Agreed to by a second person"), counts.seconded, counts.all),
        Figure(_("Sent back by the second person"), returned.count()),
        Figure(_("As the agent recommended"), counts.agreed, counts.recommended),
        Figure(_("Reopened since"), counts.reopened, counts.all),
    ]
    note = _(
        "The agent's recommendation counts where it was to approve or to reject. “Reopened since”"
        " goes on changing after the period, as does what samples came to."
    )
    return Section(_("Second person and agreement"), figures, note)


def _overrides(period: Period, actor: User) -> Section:
    overrides = CheckReview.objects.filter(
        kind=CheckReview.Kind.OVERRIDDEN, at__gte=period.start, at__lt=period.end
    )
    overrides = roles.only_visible(actor, overrides, "job__connection")
    pairs = overrides.order_by().values_list("check_id").annotate(count=Count("pk"))
    by_check: Counter[str] = Counter()
    for check_id, count in pairs:
        by_check[translated(check_label(check_id))] += count
    total = by_check.total()
    dismissals = Dismissal.objects.filter(
        at__gte=period.start,
        at__lt=period.end,
    )
    dismissals = roles.only_visible(actor, dismissals, "case__connection")
    figures = [
        Figure(_("Checks overridden"), total),
        Figure(_("Findings dismissed"), dismissals.count()),
    ]
    for name, count in _most(by_check):
        figures.append(
            Figure(_("Overridden: %(check)s") % {"check": name}, count, total)
        )
    note = _("An override that was taken back while the case was open is not counted.")
    return Section(_("Overrides"), figures, note)


def _samples(period: Period, actor: User) -> list[Sample]:
    """The samples that were drawn in the period, with the outcomes of their full looks."""
    approvals = BulkApproval.objects.filter(
        made_at__gte=period.start, made_at__lt=period.end
    )
    lines = bulk_approvals.visible_lines(actor).filter(approval__in=approvals)
    return bulk_approvals.samples(lines.order_by("id"))


def _sampling(samples: Sequence[Sample], counts: _Counts) -> Section:
    outcomes = bulk_approvals.counts(samples)
    looked_at = outcomes[bulk_approvals.AGREES] + outcomes[bulk_approvals.DIFFERS]
    figures = [
        Figure(_("Approved together with others"), counts.bulk, counts.all),
        Figure(_("Drawn for a full look"), len(samples)),
        Figure(_("Looked at until now"), looked_at, len(samples)),
        Figure(_("Approved, too"), outcomes[bulk_approvals.AGREES], looked_at),
        Figure(_("Decided otherwise"), outcomes[bulk_approvals.DIFFERS], looked_at),
    ]
    note = _(
        "Of clean cases that are approved together some are drawn at random before."
    )
    return Section(_("Samples"), figures, note)
