"""The tiles of the dashboard: a figure of the period, its change and its trend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext

from reviews.queue import dashboard as figures
from reviews.queue import filters as queue

# SVG units of a trend.
WIDTH, HEIGHT = 120, 28
# A point of a trend counts the decisions of the last seven days, because one day has few or none.
WINDOW = 7
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Change:
    """The difference to the previous period. `tone`: "pass" is better, "fail" is worse."""

    words: str
    tone: str
    description: str


class Tile(NamedTuple):
    """One figure. `line` and `area` are SVG points of its trend, empty if there are less than two."""

    icon: str
    title: str
    value: str
    href: str
    change: Change | None = None
    line: str = ""
    area: str = ""


@dataclass(frozen=True)
class _Measure:
    """A figure of a group of decisions.

    `number`: the figure, None without decisions. `words`: the figure as text. `write`: a difference
    as text, without its sign.
    """

    icon: str
    title: str
    number: Callable[[figures.Group], float | None]
    words: Callable[[figures.Group], str]
    write: Callable[[float], str]
    more_is_better: bool
    stands: str = ""


def of(
    dashboard: figures.Dashboard, counts: dict[str, int], undecided: dict[date, int]
) -> list[Tile]:
    """Return the tiles.

    `counts`: the number of open cases by view. `undecided`: the number of cases without a
    decision by day, with the day before the period; may be empty.
    """
    to_review = queue.display_count(counts["review"])
    change, line, area = _backlog(dashboard, undecided)
    tiles = [
        Tile(
            "inbox",
            gettext("Need review"),
            to_review,
            link(view="review"),
            change,
            line,
            area,
        )
    ]
    for measure in _measures():
        tiles.append(_tile(dashboard, measure))
    return tiles


def _backlog(
    dashboard: figures.Dashboard, undecided: dict[date, int]
) -> tuple[Change | None, str, str]:
    """The change and the trend of the cases without a decision."""
    if not any(undecided.values()):
        return None, "", ""
    before, *counts = [undecided[day] for day in sorted(undecided)]
    now = counts[-1]
    description = gettext(
        "Cases without a decision: %(before)d before the period, %(now)d now"
    ) % {"before": before, "now": now}
    difference = now - before
    if difference:
        sign = "+" if difference > 0 else MINUS
        tone = "fail" if difference > 0 else "pass"
        words = f"{sign}{abs(difference)}"
    else:
        tone = ""
        words = "±0"
    # The figure of the tile counts fewer cases: those that wait for an applicant or for a second
    # person are not in it. So the change names what it counts.
    change = Change(
        gettext("%(change)s undecided") % {"change": words}, tone, description
    )
    values = {place: float(count) for place, count in enumerate(counts)}
    return change, *_points_of(values, len(dashboard.days))


def _measures() -> list[_Measure]:
    return [
        _Measure(
            "timer",
            gettext("Median time to decision"),
            lambda group: group.median_minutes,
            lambda group: group.median,
            figures.minutes_in_words,
            more_is_better=False,
        ),
        _Measure(
            "check",
            gettext("Decided in time"),
            lambda group: group.percent_on_time,
            lambda group: group.on_time,
            _points,
            more_is_better=True,
        ),
        _Measure(
            "git-compare",
            gettext("Analysts agree with agents"),
            lambda group: group.percent_agreed,
            lambda group: group.agreement,
            _points,
            more_is_better=True,
        ),
        _Measure(
            "corner-up-left",
            gettext("Sent back by the second reviewer"),
            lambda group: group.percent_overturned,
            lambda group: group.overturned,
            _points,
            more_is_better=False,
            stands="returned",
        ),
    ]


def _tile(dashboard: figures.Dashboard, measure: _Measure) -> Tile:
    if measure.stands:
        href = link(view="all", decided=dashboard.period, stands=measure.stands)
    else:
        href = link(view="decided", decided=dashboard.period)
    line, area = _trend(dashboard, measure)
    return Tile(
        measure.icon,
        measure.title,
        measure.words(dashboard.all),
        href,
        _change(dashboard, measure),
        line,
        area,
    )


def _change(dashboard: figures.Dashboard, measure: _Measure) -> Change | None:
    """None if a period has no figure, or has more decisions than were read."""
    after = measure.number(dashboard.all)
    before = measure.number(dashboard.before)
    if after is None or before is None or dashboard.is_cut:
        return None
    difference = after - before
    words = measure.write(abs(difference))
    description = gettext("Before: %(figure)s") % {
        "figure": measure.words(dashboard.before)
    }
    if words == measure.write(0):
        return Change("±0", "", description)
    is_more = difference > 0
    sign = "+" if is_more else MINUS
    tone = "pass" if is_more == measure.more_is_better else "fail"
    return Change(f"{sign}{words}", tone, description)


def _trend(dashboard: figures.Dashboard, measure: _Measure) -> tuple[str, str]:
    """Return the points of the line, and those of the area below it."""
    days = sorted(dashboard.days)
    values = {}
    for place, day in enumerate(days):
        group = figures.last_days(dashboard, day, WINDOW)
        value = measure.number(group)
        if value is not None:
            values[place] = value
    return _points_of(values, len(days))


def _points_of(values: dict[int, float], count: int) -> tuple[str, str]:
    """The points of a line through the values, by the number of their day out of `count` days,
    and those of the area below it.
    """
    if len(values) < 2:
        return "", ""
    lowest, highest = min(values.values()), max(values.values())
    step = WIDTH / (count - 1)
    points = []
    for place, value in values.items():
        # A figure that never changes is a line in the middle.
        share = 0.5
        if highest > lowest:
            share = (value - lowest) / (highest - lowest)
        # One unit above and below is room for the width of the line.
        y = HEIGHT - 1 - share * (HEIGHT - 2)
        points.append(f"{place * step:.1f},{y:.1f}")
    line = " ".join(points)
    first, last = min(values) * step, max(values) * step
    area = f"{first:.1f},{HEIGHT} {line} {last:.1f},{HEIGHT}"
    return line, area


def _points(difference: float) -> str:
    """Percentage points. The difference of 33.3 and 33.1 is a little less than 0.2, and number_format
    truncates.
    """
    return str(number_format(round(difference, 1), 1))


def link(**filters: str) -> str:
    """The address of the queue with these filters."""
    address = queue.Filter.of(filters).address()
    return reverse("queue") + address
