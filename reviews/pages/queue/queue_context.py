"""What the queue page shows: its rows, the views beside them, and what narrows and orders them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse
from django.utils.timezone import now

from compliance.db import fast_sql
from reviews.access import roles
from reviews.models import Kind, QueueLayout, SavedView
from reviews.pages.queue.queue_rows import lines_of, times_of
from reviews.queue import filters as cases
from reviews.queue import queue_page
from reviews.queue.queue_page import Row

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
        params = [*(among or ()), *[user.pk] * 3]
        self.rows = sorted(fast_sql.fetch_rows(_CHOICES.format(only=only), params))
        self.agents = [(str(pk), name) for kind, name, pk, _, _ in self.rows if kind == "agent"]
        del self.agents[MOST_AGENTS:]
        self.saved = [
            SavedView(pk=pk, name=name, query=query, team_id=team)
            for kind, name, pk, query, team in self.rows
            if kind == "view"
        ]
        self.layout = QueueLayout()
        for kind, density, _, hidden, _ in self.rows:
            if kind == "layout":
                self.layout = QueueLayout(density=density, hidden=json.loads(hidden))


@dataclass(frozen=True)
class Queue:
    """The rows of one queue page and what stands around them, as they are now."""

    wanted: cases.Filter
    rows: Sequence[Row]
    next: str  # the key of the last row where more follow, or ""
    choices: Choices
    counts: Mapping[str, int]  # cases by view; "this": by this filter
    moment: datetime

    @classmethod
    def read(cls, wanted: cases.Filter, user: User) -> Queue:
        among = roles.connection_ids(user)
        rows, more = queue_page.page(wanted, user, among)
        choices = Choices(user, among)
        total = None if wanted.after or more else len(rows)
        counts = _counted(wanted, total, choices.saved, user, among)
        return cls(wanted, rows, rows[-1].key(wanted.order) if more else "", choices, counts, now())

    @property
    def etag(self) -> str:
        """Changes with all that the page shows, the clock's words included."""
        times = [times_of(row, self.moment) for row in self.rows]
        state = (
            self.wanted,
            self.rows,
            times,
            self.next,
            self.choices.rows,
            sorted(self.counts.items()),
        )
        return f'"{hashlib.sha256(repr(state).encode()).hexdigest()[:32]}"'


def queue_context(queue: Queue) -> dict[str, Any]:
    wanted, choices, counts = queue.wanted, queue.choices, queue.counts
    lines = lines_of(queue.rows, queue.moment)
    here = wanted.address(after=wanted.after)
    newest = max((line.pk for line in lines), default=0)
    return {
        "q": wanted.q,
        "wanted": wanted,
        "order": wanted.order,
        "lines": lines,
        "counts": counts,
        "number": cases.shown(counts["this"]),
        "status_column": _status_column(wanted.view),
        "overdue": sum(line.due_color == "fail" for line in lines),
        "soon": sum(line.due_color == "warn" for line in lines),
        # Beside the rows: views, and what narrows and orders them.
        "views": _views(wanted, counts),
        "saved": _saved_views(choices.saved, wanted, counts),
        "chips": _chips(wanted, choices.agents),
        "sorts": _sorts(wanted),
        "fields": _fields(wanted, choices.agents),
        "density": choices.layout.density,
        "densities": choices.layout.densities,
        "columns": choices.layout.shown,
        "picks": choices.layout.picks,
        # Addresses: of this page, the next and the first one ("" where there is none), the rows alone.
        "here": here,
        "older": wanted.address(after=queue.next) if queue.next else "",
        "newest": wanted.address() if wanted.after else "",
        "poll": reverse("queue-rows") + here + (f"&seen={newest}" if lines else ""),
        "etag": queue.etag,
    }


def news(rows: Sequence[Row], seen: str) -> int:
    """How many of the cases came after the one of that number."""
    is_number = seen.isascii() and seen.isdigit() and len(seen) < 16
    return sum(row.pk > int(seen) for row in rows) if is_number else 0


def _status_column(view: str) -> str:
    """What the column of the status is called; "" where all cases of the view have the same."""
    if view == "decided":
        return "Outcome"
    return "Status" if view in {"all", "mine", "snoozed"} else ""


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
    counts = cases.by_view(user, among, also, _to_count(saved))
    if plain and total is not None:
        counts[plain] = total
    counts.setdefault("this", counts[plain] if plain else total or 0)
    return counts


def _to_count(saved: list[SavedView]) -> dict[str, cases.Filter]:
    """The saved views that are counted: not searches, each of which costs as much as a page."""
    wanted = {str(view.pk): cases.Filter.of(QueryDict(view.query[1:])) for view in saved}
    plain = [(name, filters) for name, filters in wanted.items() if not filters.q]
    return dict(plain[:MOST_COUNTED])


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
    choices: Sequence[tuple[str, str]]
    value: str
    hint: str


def _views(wanted: cases.Filter, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    here = wanted.address()
    return [
        {
            "name": name,
            "title": title,
            "icon": VIEW_ICONS[name],
            "href": f"?view={name}",
            "number": cases.shown(counts[name]),
            "current": here == f"?view={name}",
        }
        for name, (title, _) in cases.VIEWS.items()
    ]


def _saved_views(
    saved: Sequence[SavedView], wanted: cases.Filter, counts: Mapping[str, int]
) -> dict[str, list[dict[str, Any]]]:
    """The saved views of the person's teams, and their own."""
    here = wanted.address()
    lists: dict[str, list[dict[str, Any]]] = {"team": [], "own": []}
    for view in saved:
        count = counts.get(str(view.pk))
        lists["team" if view.team_id else "own"].append(
            {
                "pk": view.pk,
                "name": view.name,
                "href": view.query,
                "number": "" if count is None else cases.shown(count),
                "current": view.query == here,
            }
        )
    return lists


def _chips(wanted: cases.Filter, agents: Sequence[tuple[str, str]]) -> list[_Choice]:
    words = {
        "kind": dict(KINDS),
        "agent": dict(agents),
        "due": cases.DUE,
        "analyst": {"me": "Me", "none": "Nobody"},
    }
    chips = []
    for field, title in CHIPS.items():
        value = getattr(wanted, field)
        if value:
            label = words.get(field, {}).get(value, value)
            chips.append(_Choice(title, wanted.address(**{field: ""}), label))
    return chips


def _sorts(wanted: cases.Filter) -> list[_Choice]:
    return [
        _Choice(title, wanted.address(sort=name), current=name == wanted.order)
        for name, (title, _) in cases.SORTS.items()
    ]


def _fields(wanted: cases.Filter, agents: Sequence[tuple[str, str]]) -> list[_Field]:
    choices: dict[str, Sequence[tuple[str, str]]] = {
        "kind": KINDS,
        "agent": agents,
        "recommendation": [(name, name.capitalize()) for name in cases.RECOMMENDATIONS],
        "due": list(cases.DUE.items()),
        "outcome": [("approve", "Approved"), ("reject", "Rejected")],
        "country": [],
        "analyst": [],
        "risk": [],
        "tag": [],
    }
    hints = {"country": "NO", "analyst": "me, none or a name", "risk": "1", "tag": ""}
    return [
        _Field(name, CHIPS[name], values, getattr(wanted, name), hints.get(name, ""))
        for name, values in choices.items()
    ]
