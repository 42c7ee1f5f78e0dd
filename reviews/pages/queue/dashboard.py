"""The dashboard: figures and charts. Each links to the cases behind it in the queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews.access.decorators import person_of, readers_only
from reviews.pages.queue import dashboard_tiles
from reviews.pages.queue.dashboard_tiles import link
from reviews.queue import dashboard as figures
from reviews.queue import filters as queue
from reviews.results.words import translated

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# SVG units of the chart per day: height, width, left margin.
HEIGHT, WIDTH, LEFT = 180, 720, 36
# SVG units: width of the smaller charts.
SIDE = 320
# Outcome, sentence, tone; in this order from the bottom of a bar.
DAY_BARS = (
    ("approve", gettext_lazy("%(day)s: %(count)d approved"), "pass"),
    ("reject", gettext_lazy("%(day)s: %(count)d rejected"), "fail"),
    (figures.HIDDEN, gettext_lazy("%(day)s: %(count)d before a second look"), "acc"),
)


@dataclass(frozen=True)
class Bar:
    """A bar of a chart, its description, and the address of its cases in the queue."""

    x: float
    y: float
    width: float
    height: float
    tone: str
    words: str
    href: str


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def dashboard(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    days = request.GET.get("days", "")
    if days not in figures.PERIODS:
        days = "28"
    dashboard = figures.of(person, int(days))
    # Open cases are counted now, decisions over the period.
    counts = figures.open_cases(person)
    context = {
        "nav": "dashboard",
        "dashboard": dashboard,
        "days": days,
        "periods": figures.PERIODS.items(),
        "counts": counts,
        "waiting": _waiting(counts),
        "risks": _risks(counts),
        "tiles": dashboard_tiles.of(
            dashboard, counts, figures.undecided(person, dashboard)
        ),
        "chart": _per_day(dashboard),
        "has_hidden": any(
            group.outcomes[figures.HIDDEN] for group in dashboard.days.values()
        ),
        "histogram": _histogram(dashboard),
        "checks": _checks(dashboard),
        "people": _people(dashboard),
    }
    return render(request, "reviews/dashboard.html", context)


def _waiting(counts: dict[str, int]) -> list[tuple[StrOrPromise, str, str]]:
    """Title, count and address for each view with open cases."""
    rows = []
    for view, count in counts.items():
        if view in figures.RISKS:
            continue
        title, _ = queue.VIEWS[view]
        rows.append((title, queue.display_count(count), link(view=view)))
    return rows


def _risks(counts: dict[str, int]) -> list[tuple[StrOrPromise, str, str]]:
    """Title, count and address for each figure on risk."""
    titles: dict[str, StrOrPromise] = {}
    for band, words in queue.BANDS.items():
        titles[f"band {band}"] = words
    titles["reviews open"] = gettext("Periodic reviews")
    titles["reviews soon"] = gettext("Next review within 30 days")
    rows = []
    for name, filters in figures.RISKS.items():
        href = reverse("queue") + filters.address()
        rows.append((titles[name], queue.display_count(counts[name]), href))
    return rows


def _people(dashboard: figures.Dashboard) -> list[tuple[str, figures.Group, str]]:
    """Name, decisions and address for each user, sorted by number of decisions."""
    rows = []
    for name, group in dashboard.people.items():
        href = link(view="all", by=name, decided=dashboard.period)
        rows.append((name, group, href))
    rows.sort(key=lambda row: row[1].decided, reverse=True)
    return rows


class Label(NamedTuple):
    x: float
    text: str


class Chart(NamedTuple):
    """Bars with labels below. `top` and `half` are the marks of the scale, if it has one."""

    bars: list[Bar]
    labels: list[Label]
    top: int = 0
    half: str = ""


def _per_day(dashboard: figures.Dashboard) -> Chart:
    days = sorted(dashboard.days)
    top = max(group.decided for group in dashboard.days.values())
    top = max(top, 1)
    step = (WIDTH - LEFT) / len(days)
    # With more than 31 days the labels would overlap.
    every_day = len(days) <= 31
    bars = []
    labels = []
    for place, day in enumerate(days):
        outcomes = dashboard.days[day].outcomes
        # The bar covers 70 % of the width of a day.
        x = LEFT + (place + 0.15) * step
        y = float(HEIGHT)
        for outcome, sentence, tone in DAY_BARS:
            count = outcomes[outcome]
            if not count:
                continue
            height = count / top * (HEIGHT - 10)
            # The bars of a day are stacked. y counts from the top.
            y -= height
            words = sentence % {"day": day, "count": count}
            href = link(view="all", outcome=outcome, decided=str(day))
            bar = _bar(x, y, step * 0.7, height, tone, words, href)
            bars.append(bar)
        if every_day or place % 7 == 0:
            middle = round(x + step * 0.35, 1)
            labels.append(Label(middle, str(day.day)))
    # An odd maximum has no whole half.
    if top % 2:
        half = ""
    else:
        half = str(top // 2)
    return Chart(bars, labels, top, half)


def _histogram(dashboard: figures.Dashboard) -> Chart:
    top = max([1, *dashboard.buckets])
    step = SIDE / len(dashboard.buckets)
    # The filter needs both bounds of a bar, in minutes.
    starts = [0, *figures.BUCKETS]
    bars = []
    labels = []
    for place, count in enumerate(dashboard.buckets):
        is_last = place == len(figures.BUCKETS)
        if is_last:
            end = ""
            title = gettext("later")
            tone = "fail"
            words = gettext("%(count)d later") % {"count": count}
        else:
            minutes = figures.BUCKETS[place]
            end = str(minutes)
            # All bounds of an hour or more are whole hours.
            title = figures.bound_in_words(minutes)
            tone = "acc"
            words = gettext("%(count)d within %(duration)s") % {
                "count": count,
                "duration": title,
            }
        if count:
            height = count / top * (HEIGHT - 10)
            href = link(
                view="all",
                decided=dashboard.period,
                took=f"{starts[place]}-{end}",
            )
            x = place * step + 4
            y = HEIGHT - height
            bar = _bar(x, y, step - 8, height, tone, words, href)
            bars.append(bar)
        middle = round((place + 0.5) * step, 1)
        labels.append(Label(middle, title))
    return Chart(bars, labels)


def _bar(
    x: float, y: float, width: float, height: float, tone: str, words: str, href: str
) -> Bar:  # fmt: skip
    return Bar(
        round(x, 1),
        round(y, 1),
        round(width, 1),
        round(height, 1),
        tone,
        words,
        href,
    )


class CheckRow(NamedTuple):
    check: figures.Check
    bars: list[Bar]
    share: str  # share of the cases in which the check needed a person
    href: str


def _checks(dashboard: figures.Dashboard) -> list[CheckRow]:
    rows = []
    period = dashboard.period
    for check in dashboard.checks:
        bars = []
        x = 0.0
        for verdict, tone, sentence, count in (
            ("pass", "pass", gettext("%(check)s: %(count)d passed"), check.passed),
            (
                "review",
                "warn",
                gettext("%(check)s: %(count)d to review"),
                check.doubtful,
            ),
            ("fail", "fail", gettext("%(check)s: %(count)d failed"), check.failed),
        ):
            if not count:
                continue
            # The segments of a bar follow each other from the left.
            width = count / check.total * SIDE
            words = sentence % {"check": translated(check.name), "count": count}
            href = link(
                view="all",
                check=check.name,
                verdict=verdict,
                decided=period,
            )
            bars.append(_bar(x, 0, width, 12, tone, words, href))
            x += width
        share = figures.percent(check.failed + check.doubtful, check.total)
        href = link(view="all", check=check.name, decided=period)
        rows.append(CheckRow(check, bars, share, href))
    return rows
