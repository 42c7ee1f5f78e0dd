"""What the queue page shows: gathered by value, and put into words when it is drawn.

Two that are equal look alike, so a page that was drawn before is not drawn again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse

from compliance import statements
from reviews import queue as cases
from reviews import queue_page
from reviews.models import Kind, QueueLayout, SavedView
from reviews.models.queue import Columns, Pick
from reviews.views.queue_lines import lines_of

VIEW_ICONS = {
    "review": "inbox",
    "mine": "user",
    "attention": "triangle-alert",
    "running": "loader-circle",
    "second": "users",
    "escalated": "arrow-up-right",
    "waiting": "hourglass",
    "snoozed": "alarm-clock",
    "decided": "badge-check",
    "all": "layers",
}
KINDS = [(value, str(label)) for value, label in Kind.choices]
MOST_AGENTS = 200
MOST_COUNTED = 20  # of the saved views, each time that the queue is drawn
# The filters as chips: what each is called. Those of no field here are the view, order and place.
CHIPS = {
    "q": "Search",
    "kind": "Kind",
    "country": "Country",
    "agent": "Agent",
    "recommendation": "Recommendation",
    "analyst": "Analyst",
    "risk": "Findings from",
    "check": "Check",
    "verdict": "Verdict",
    "tag": "Tag",
    "due": "Due",
    "outcome": "Outcome",
    "decided": "Decided",
    "by": "Decided by",
    "took": "Minutes to decision",
    "stands": "Second approval",
}


_CHOICES = """
SELECT 'agent' AS kind, name, id, '' AS query, NULL AS team_id FROM reviews_agent {only}
UNION ALL
SELECT 'view', name, id, query, team_id FROM reviews_savedview
WHERE owner_id = %s AND team_id IS NULL
OR team_id IN (SELECT team_id FROM reviews_team_members WHERE user_id = %s)
UNION ALL
SELECT 'layout', density, user_id, CAST(hidden AS text), NULL FROM reviews_queuelayout
WHERE user_id = %s
"""


class Choices:
    """What a person may choose from, and what was chosen last time: three short lists, in one statement."""

    def __init__(self, user: User, among: Sequence[int] | None) -> None:
        ids = ", ".join(["%s"] * len(among or ())) or "NULL"
        only = "" if among is None else f"WHERE connection_id IN ({ids})"
        asked = statements.asked(_CHOICES.format(only=only), [*(among or ()), *[user.pk] * 3])
        self.rows = tuple(sorted(asked))

    @cached_property
    def agents(self) -> list[tuple[str, str]]:
        agents = [(str(pk), name) for kind, name, pk, _, _ in self.rows if kind == "agent"]
        return agents[:MOST_AGENTS]

    @cached_property
    def saved(self) -> list[SavedView]:
        return [
            SavedView(pk=pk, name=name, query=query, team_id=team)
            for kind, name, pk, query, team in self.rows
            if kind == "view"
        ]

    @cached_property
    def layout(self) -> QueueLayout:
        for kind, density, _, hidden, _ in self.rows:
            if kind == "layout":
                return QueueLayout(density=density, hidden=json.loads(hidden))
        return QueueLayout()


class Shown:
    """The queue as one person sees it. All that it says follows from its `key`."""

    def __init__(self, wanted: cases.Filter, user: User, among: Sequence[int] | None) -> None:
        self.wanted = wanted
        found, more = queue_page.page(wanted, user, among)
        self.lines = tuple(lines_of(found))
        self._choices = Choices(user, among)
        total = None if wanted.after or more else len(found)
        self.counts = _counted(wanted, total, self._choices.saved, user, among)
        self._next = found[-1].key(wanted.order) if more else ""
        counts = tuple(sorted(self.counts.items()))
        self.key = (wanted, self.lines, self._next, self._choices.rows, counts)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.key == other.key

    @property
    def q(self) -> str:
        return self.wanted.q

    @property
    def layout(self) -> QueueLayout:
        return self._choices.layout

    @property
    def columns(self) -> Columns:
        return self.layout.shown

    @property
    def picks(self) -> tuple[Pick, ...]:
        return self.layout.picks

    @property
    def densities(self) -> tuple[Pick, ...]:
        return self.layout.densities

    @property
    def number(self) -> str:
        """How many cases there are of what is shown."""
        return cases.shown(self.counts["this"])

    @property
    def status_column(self) -> str:
        """What the column of the status is called; "" where all cases of the view have the same."""
        if self.wanted.view == "decided":
            return "Outcome"
        return "Status" if self.wanted.view in {"all", "mine", "snoozed"} else ""

    @property
    def overdue(self) -> int:
        return sum(line.due_color == "fail" for line in self.lines)

    @property
    def soon(self) -> int:
        return sum(line.due_color == "warn" for line in self.lines)

    @cached_property
    def views(self) -> tuple[_View, ...]:
        return _views(self.wanted, self.counts)

    @cached_property
    def saved(self) -> _SavedViews:
        return _saved_views(self._choices.saved, self.wanted, self.counts)

    @cached_property
    def chips(self) -> tuple[_Choice, ...]:
        return _chips(self.wanted, self._choices.agents)

    @cached_property
    def sorts(self) -> tuple[_Choice, ...]:
        return _sorts(self.wanted)

    @cached_property
    def fields(self) -> tuple[_Field, ...]:
        return _fields(self.wanted, self._choices.agents)

    @cached_property
    def here(self) -> str:
        return self.wanted.address(after=self.wanted.after)

    @property
    def older(self) -> str:
        """The next page, or ""."""
        return self.wanted.address(after=self._next) if self._next else ""

    @property
    def newest(self) -> str:
        """The first page, or "" where this is it."""
        return self.wanted.address() if self.wanted.after else ""

    @property
    def poll(self) -> str:
        """Where the rows are asked for again."""
        last = max((line.pk for line in self.lines), default=0)
        return reverse("queue-rows") + self.here + (f"&seen={last}" if self.lines else "")

    @cached_property
    def etag(self) -> str:
        said = "\n".join((repr((self.wanted, *self.key[2:])), *(line.words for line in self.lines)))
        return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'

    def news(self, seen: str) -> int:
        """How many of its cases came after the one of that number."""
        is_number = seen.isascii() and seen.isdigit() and len(seen) < 16
        return sum(line.pk > int(seen) for line in self.lines) if is_number else 0


def _counted(
    wanted: cases.Filter,
    total: int | None,
    saved: list[SavedView],
    user: User,
    among: Sequence[int] | None,
) -> dict[str, int]:
    """How many cases each view and this queue hold; `total`: known, because all are on the page."""
    here = replace(wanted, after="")
    plain = here.view if replace(here, sort="") == cases.Filter(view=here.view) else ""
    also = {} if plain or total is not None else {"this": here}
    counted = cases.by_view(user, among, also, _to_count(saved))
    if plain and total is not None:
        counted[plain] = total
    counted.setdefault("this", counted[plain] if plain else total or 0)
    return counted


def _to_count(saved: list[SavedView]) -> dict[str, cases.Filter]:
    """The saved views that are counted: not searches, each of which costs as much as a page."""
    wanted = {str(view.pk): cases.Filter.of(QueryDict(view.query[1:])) for view in saved}
    plain = [(name, filters) for name, filters in wanted.items() if not filters.q]
    return dict(plain[:MOST_COUNTED])


class _View(NamedTuple):
    name: str
    title: str
    icon: str
    href: str
    number: str
    current: bool


class _SavedView(NamedTuple):
    pk: int
    name: str
    href: str
    number: str
    current: bool


class _SavedViews(NamedTuple):
    team: tuple[_SavedView, ...]
    own: tuple[_SavedView, ...]


class _Choice(NamedTuple):
    """A chip, or an order: what it is called, and the queue with it."""

    title: str
    href: str
    value: str = ""
    current: bool = False


class _Field(NamedTuple):
    """A control of the filter: with choices, or to type into."""

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    value: str
    hint: str


def _views(wanted: cases.Filter, counted: dict[str, int]) -> tuple[_View, ...]:
    here = wanted.address()
    return tuple(
        _View(
            name,
            title,
            VIEW_ICONS[name],
            f"?view={name}",
            cases.shown(counted[name]),
            here == f"?view={name}",
        )
        for name, (title, _) in cases.VIEWS.items()
    )


def _saved_views(
    saved: list[SavedView], wanted: cases.Filter, counted: dict[str, int]
) -> _SavedViews:
    here = wanted.address()

    def made(*, of_team: bool) -> tuple[_SavedView, ...]:
        views = [view for view in saved if bool(view.team_id) == of_team]
        counts = [cases.shown(counted[key]) if (key := str(v.pk)) in counted else "" for v in views]
        return tuple(
            _SavedView(view.pk, view.name, view.query, count, view.query == here)
            for view, count in zip(views, counts, strict=True)
        )

    return _SavedViews(team=made(of_team=True), own=made(of_team=False))


def _chips(wanted: cases.Filter, agents: list[tuple[str, str]]) -> tuple[_Choice, ...]:
    words = {
        "kind": dict(KINDS),
        "agent": dict(agents),
        "due": cases.DUE,
        "analyst": {"me": "Me", "none": "Nobody"},
    }
    return tuple(
        _Choice(title, wanted.address(**{field: ""}), words.get(field, {}).get(value, value))
        for field, title in CHIPS.items()
        if (value := getattr(wanted, field))
    )


def _sorts(wanted: cases.Filter) -> tuple[_Choice, ...]:
    return tuple(
        _Choice(title, wanted.address(sort=name), current=name == wanted.order)
        for name, (title, _) in cases.SORTS.items()
    )


def _fields(wanted: cases.Filter, agents: list[tuple[str, str]]) -> tuple[_Field, ...]:
    choices: dict[str, Iterable[tuple[str, str]]] = {
        "kind": KINDS,
        "agent": agents,
        "recommendation": [(name, name.capitalize()) for name in cases.RECOMMENDATIONS],
        "due": cases.DUE.items(),
        "outcome": [("approve", "Approved"), ("reject", "Rejected")],
        "country": [],
        "analyst": [],
        "risk": [],
        "tag": [],
    }
    hints = {"country": "NO", "analyst": "me, none or a name", "risk": "1", "tag": ""}
    return tuple(
        _Field(name, CHIPS[name], tuple(given), getattr(wanted, name), hints.get(name, ""))
        for name, given in choices.items()
    )
