"""The dashboard: figures and drawings, each a way into the queue behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews.access.decorators import person_of, readers_only
from reviews.queue import dashboard as figures
from reviews.queue import filters as queue

HEIGHT, WIDTH, LEFT = 180, 720, 36  # of the drawing of days
SIDE = 320


@dataclass(frozen=True)
class Bar:
    """A mark of a drawing: where it stands, what it says, and the queue behind it."""

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
    days = days if days in figures.PERIODS else "28"
    found = figures.of(person, int(days))
    waiting = figures.open_cases(person)
    context = {
        "nav": "dashboard",
        "found": found,
        "days": days,
        "periods": figures.PERIODS.items(),
        "counts": waiting,
        "waiting": [
            (queue.VIEWS[view][0], queue.shown(count), _link(view=view))
            for view, count in waiting.items()
        ],
        "tiles": _tiles(found, waiting),
        "chart": _per_day(found),
        "histogram": _histogram(found),
        "checks": _checks(found),
        "people": [
            (name, group, _link(view="all", by=name, decided=found.period))
            for name, group in sorted(found.people.items(), key=lambda p: -p[1].decided)
        ],
    }
    return render(request, "reviews/dashboard.html", context)


def _link(**filters: str) -> str:
    return reverse("queue") + queue.Filter(**filters).address()


def _tiles(found: figures.Dashboard, waiting: dict[str, int]) -> list[dict[str, str]]:
    every, period = found.all, found.period
    decided = _link(view="decided", decided=period)
    returned = _link(view="all", decided=period, stands="returned")
    rows = (
        ("inbox", "Need review", queue.shown(waiting["review"]), _link(view="review")),
        ("timer", "Median time to decision", every.median, decided),
        ("check", "Decided in time", every.on_time, decided),
        ("git-compare", "Analysts agree with agents", every.agreement, decided),
        ("corner-up-left", "Sent back by the second reviewer", every.overturned, returned),
    )
    return [
        {"icon": icon, "title": title, "value": value, "href": href}
        for icon, title, value, href in rows
    ]


def _per_day(found: figures.Dashboard) -> dict[str, Any]:
    top = max([1, *(group.decided for group in found.days.values())])
    step = (WIDTH - LEFT) / len(found.days)
    bars, labels = [], []
    for at, (day, group) in enumerate(sorted(found.days.items())):
        x, y = LEFT + at * step + step * 0.15, float(HEIGHT)
        for outcome, tone in (("approve", "pass"), ("reject", "fail")):
            if not (count := group.outcomes[outcome]):
                continue
            height = count / top * (HEIGHT - 10)
            y -= height
            words = f"{day}: {count} {'approved' if outcome == 'approve' else 'rejected'}"
            href = _link(view="all", outcome=outcome, decided=str(day))
            bars.append(_bar(x, y, step * 0.7, height, tone, words, href))
        if len(found.days) <= 31 or at % 7 == 0:
            labels.append({"x": round(x + step * 0.35, 1), "text": str(day.day)})
    return {"bars": bars, "labels": labels, "top": top, "half": "" if top % 2 else str(top // 2)}


def _histogram(found: figures.Dashboard) -> dict[str, Any]:
    top = max([1, *found.buckets])
    step = SIDE / len(found.buckets)
    bounds = (0, *figures.BUCKETS)
    bars, labels = [], []
    for at, count in enumerate(found.buckets):
        end = str(bounds[at + 1]) if at + 1 < len(bounds) else ""
        title = figures.minutes_in_words(int(end)).replace(" 00 m", "") if end else "later"
        height = count / top * (HEIGHT - 10)
        href = _link(view="all", decided=found.period, took=f"{bounds[at]}-{end}")
        words = f"{count} {'within ' if end else ''}{title}"
        tone = "acc" if end else "fail"
        if count:
            bars.append(_bar(at * step + 4, HEIGHT - height, step - 8, height, tone, words, href))
        labels.append({"x": round((at + 0.5) * step, 1), "text": title})
    return {"bars": bars, "labels": labels}


def _bar(
    x: float, y: float, width: float, height: float, tone: str, words: str, href: str
) -> Bar:  # fmt: skip
    return Bar(round(x, 1), round(y, 1), round(width, 1), round(height, 1), tone, words, href)


def _checks(found: figures.Dashboard) -> list[dict[str, Any]]:
    rows = []
    for check in found.checks:
        bars, x = [], 0.0
        parts = (("pass", check.passed), ("review", check.doubtful), ("fail", check.failed))
        for (verdict, count), tone in zip(parts, ("pass", "warn", "fail"), strict=True):
            if not count:
                continue
            width = count / check.total * SIDE
            words = f"{check.name}: {count} {'to confirm' if verdict == 'review' else verdict}"
            href = _link(view="all", check=check.name, verdict=verdict, decided=found.period)
            bars.append(_bar(x, 0, width, 12, tone, words, href))
            x += width
        rows.append(
            {
                "check": check,
                "bars": bars,
                "share": figures.percent(check.failed + check.doubtful, check.total),
                "href": _link(view="all", check=check.name, decided=found.period),
            }
        )
    return rows
