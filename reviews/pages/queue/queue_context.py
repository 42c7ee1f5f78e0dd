"""The context of the queue page: its rows, views, filters and orders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import F, IntegerField, Q, QuerySet, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from compliance.http import numbers
from reviews.access import masking, roles
from reviews.findings.recommendations import shown
from reviews.models import Agent, Kind, QueueLayout, SavedView, Team
from reviews.pages.queue.queue_rows import (
    Clock,
    Hit,
    Line,
    Times,
    lines_at,
    times_of,
)
from reviews.queue import filters as cases
from reviews.queue import queue_page, search
from reviews.queue.highlights import Excerpt, Highlighter
from reviews.queue.queue_page import Row
from reviews.results.words import country_name

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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
KINDS = list(Kind.choices)
MOST_AGENTS = 200
MOST_COUNTED = 20  # saved views that are counted each time the queue is rendered
# Labels of the active filters (chips). The other fields of a filter are view, order and position.
CHIPS = {
    "q": gettext_lazy("Search"),
    "kind": gettext_lazy("Kind"),
    "country": gettext_lazy("Country"),
    "agent": gettext_lazy("Agent"),
    "recommendation": gettext_lazy("Recommendation"),
    "analyst": gettext_lazy("Analyst"),
    "risk": gettext_lazy("Findings from"),
    "band": gettext_lazy("Risk"),
    "origin": gettext_lazy("Opened as"),
    "review_in": gettext_lazy("Next review"),
    "checklist": gettext_lazy("Checklist"),
    "check": gettext_lazy("Check"),
    "verdict": gettext_lazy("Verdict"),
    "tag": gettext_lazy("Tag"),
    "due": gettext_lazy("Due"),
    "outcome": gettext_lazy("Outcome"),
    "decided": gettext_lazy("Decided"),
    "by": gettext_lazy("Decided by"),
    "took": gettext_lazy("Minutes to decision"),
    "stands": gettext_lazy("Second approval"),
}


class Choices:
    """The values that the user may choose from, and the user's layout.

    They are three short lists, read with one UNION query. `rows` holds tuples: kind, name, id,
    text, team.
    """

    def __init__(self, user: User, connections: Sequence[int] | None) -> None:
        # Without an order, because the parts of a UNION must not have one.
        agents = Agent.objects.order_by()
        if connections is not None:
            agents = agents.filter(connection__in=connections)
        teams = Team.objects.filter(members=user).order_by().values("pk")
        views = Q(owner=user, team=None)
        # Colleagues who see names have typed the names and searches of the views of a team.
        if masking.sees_names(user):
            views |= Q(team__in=teams)
        saved = SavedView.objects.filter(views).order_by()
        layouts = QueueLayout.objects.filter(user=user).order_by()
        rows = _as_rows(agents, "agent", "name", Value("")).union(
            _as_rows(saved, "view", "name", F("query"), F("team_id"), F("owner_id")),
            _as_rows(layouts, "layout", "density", Cast("hidden", TextField())),
            all=True,
        )
        # Sorted here by kind and name.
        self.rows = sorted(rows)
        self.agents: list[tuple[str, str]] = []
        self.saved: list[SavedView] = []
        self.layout = QueueLayout()
        for kind, name, pk, text, team, owner in self.rows:
            if kind == "view":
                self.saved.append(
                    SavedView(
                        pk=pk,
                        name=name,
                        query=text,
                        team_id=team,
                        owner_id=owner,
                    )
                )
            elif kind == "layout":
                self.layout = QueueLayout(density=name, hidden=json.loads(text))
            elif len(self.agents) < MOST_AGENTS:
                self.agents.append((str(pk), name))


_NOBODY = Value(None, output_field=IntegerField())


def _as_rows(
    rows: QuerySet[Any],
    kind: str,
    name: str,
    text: Combinable,
    team: Combinable = _NOBODY,
    owner: Combinable = _NOBODY,
) -> QuerySet[Any, tuple[Any, ...]]:
    rows = rows.annotate(
        row_kind=Value(kind),
        row_text=text,
        row_team=team,
        row_owner=owner,
    )
    return rows.values_list("row_kind", name, "pk", "row_text", "row_team", "row_owner")


@dataclass(frozen=True)
class Queue:
    """The rows of one page of the queue, with the data around them."""

    filter: cases.Filter
    rows: Sequence[Row]
    next: str  # the cursor of the last row if more follow, or ""
    choices: Choices
    counts: Mapping[str, int]  # number of cases by view; "this": with this filter
    clock: Clock

    @classmethod
    def read(cls, queue_filter: cases.Filter, user: User) -> Queue:
        connections = roles.connection_ids(user)
        rows, has_more = queue_page.page(queue_filter, user, connections)
        choices = Choices(user, connections)
        is_all = not has_more and not queue_filter.after
        # All cases are on this page, so counting them needs no query.
        total = len(rows) if is_all else None
        counts = _counts(queue_filter, total, choices.saved, user, connections)
        return cls(
            filter=queue_filter,
            rows=rows,
            next=rows[-1].key(queue_filter.order) if has_more else "",
            choices=choices,
            counts=counts,
            clock=Clock.now(),
        )

    @cached_property
    def times(self) -> list[Times]:
        """The relative times of the rows, in their order."""
        return [times_of(row, self.clock) for row in self.rows]

    @cached_property
    def etag(self) -> str:
        """Changes whenever the content of the page changes, including the relative times."""
        state = (
            self.filter,
            self.rows,
            # Relative times change although nothing in the database does.
            self.times,
            self.next,
            self.choices.rows,
            sorted(self.counts.items()),
            self.clock.language,
        )
        digest = hashlib.sha256(repr(state).encode()).hexdigest()
        return f'"{digest[:32]}"'


def queue_context(queue: Queue) -> dict[str, object]:
    queue_filter = queue.filter
    counts = queue.counts
    agents = queue.choices.agents
    layout = queue.choices.layout
    lines = lines_at(queue.rows, queue.times, queue.clock)
    words = Highlighter.of(queue_filter.q)
    here = queue_filter.address(after=queue_filter.after)
    poll = reverse("queue-rows") + here
    if lines:
        # With the newest case of this page, so that a poll can report newer ones.
        newest = max(line.pk for line in lines)
        poll += f"&seen={newest}"
    return {
        "q": queue_filter.q,
        "words": words,
        "exact": queue_filter.address(q=search.exactly(queue_filter.q)),
        "filter": queue_filter,
        "order": queue_filter.order,
        "lines": _with_hits(lines, words, queue_filter),
        "counts": counts,
        "number": cases.display_count(counts["this"]),
        "status_column": _status_column(queue_filter.view),
        "overdue": sum(line.due_color == "fail" for line in lines),
        "soon": sum(line.due_color == "warn" for line in lines),
        # Around the rows: views, filters and orders.
        "views": _views(queue_filter, counts),
        "saved": _saved_views(queue.choices.saved, queue_filter, counts),
        "chips": _chips(queue_filter, agents),
        "sorts": _sorts(queue_filter),
        "fields": _fields(queue_filter, agents),
        "density": layout.density,
        "densities": layout.densities,
        "columns": layout.shown,
        "picks": layout.picks,
        # Addresses: of this page, the next and the first one ("" if none), and for polling the
        # rows.
        "here": here,
        "older": queue_filter.address(after=queue.next) if queue.next else "",
        "newest": queue_filter.address() if queue_filter.after else "",
        "poll": poll,
        "etag": queue.etag,
    }


def _with_hits(
    lines: Sequence[Line], words: Highlighter, queue_filter: cases.Filter
) -> list[Line]:
    """Adds to each line the page of a document that contains the words, unless the name does."""
    if not words:
        return list(lines)
    # Only cases whose name does not show why they match.
    unclear = []
    for line in lines:
        if not words.has(f"{line.subject} {line.reference}"):
            unclear.append(line.pk)
    excerpts = words.excerpts(unclear)
    sealed = cases.sealed_search(queue_filter.q, reader=queue_filter.reader)
    with_hits = []
    for line in lines:
        excerpt = excerpts.get(line.pk)
        if excerpt:
            hit = _hit(line, excerpt, sealed)
        else:
            hit = None
        with_hits.append(line._replace(search=sealed, hit=hit))
    return with_hits


def _hit(line: Line, excerpt: Excerpt, sealed: str) -> Hit:
    if not excerpt.document:
        place = gettext("Read from its documents")
        return Hit(place, excerpt.text, line.address(sealed=sealed))
    place = gettext("Page %(number)s") % {"number": excerpt.page}
    href = line.address(sealed=sealed, doc=excerpt.document)
    return Hit(place, excerpt.text, f"{href}#page-{excerpt.page}")


def new_cases(rows: Sequence[Row], newest: str) -> int:
    """The number of cases newer than the one with the id `newest`."""
    pk = numbers.parse(newest)
    if pk is None:
        return 0
    return sum(row.pk > pk for row in rows)


def _status_column(view: str) -> str:
    """The title of the status column; "" if all cases of the view have the same status."""
    if view == "decided":
        return gettext("Outcome")
    if view in {"all", "mine", "snoozed"}:
        return gettext("Status")
    return ""


def _counts(
    queue_filter: cases.Filter,
    total: int | None,
    saved: Sequence[SavedView],
    user: User,
    connections: Sequence[int] | None,
) -> dict[str, int]:
    """The number of cases in each view and with this filter. `total` is the latter, if it is
    known.
    """
    view = queue_filter.view
    is_view = replace(queue_filter, after="", sort="") == cases.Filter(view=view)
    # The count of this filter is read together with those of the views.
    also = {}
    if total is None and not is_view:
        also["this"] = replace(queue_filter, after="")
    counts = cases.by_view(user, connections, also, _saved_filters(saved))
    if total is not None:
        counts["this"] = total
        if is_view:
            counts[view] = total
    elif is_view:
        counts["this"] = counts[view]
    return counts


def _saved_filters(saved: Sequence[SavedView]) -> dict[str, cases.Filter]:
    """Filters of the saved views to count. Searches are left out, because counting one is
    expensive.
    """
    filters: dict[str, cases.Filter] = {}
    for view in saved:
        saved_filter = cases.Filter.of(QueryDict(view.query[1:]))
        if not saved_filter.q and len(filters) < MOST_COUNTED:
            filters[str(view.pk)] = saved_filter
    return filters


class _Choice(NamedTuple):
    """A chip or an order, with the address of the queue that it leads to."""

    title: StrOrPromise
    href: str
    value: StrOrPromise = ""
    current: bool = False


class _Field(NamedTuple):
    """A control of the filter form: a select if it has choices, otherwise an input."""

    name: str
    title: StrOrPromise
    choices: Sequence[tuple[str, StrOrPromise]]
    value: str
    hint: str


def _views(
    queue_filter: cases.Filter, counts: Mapping[str, int]
) -> list[dict[str, object]]:
    # Compared as addresses, so that a filter on top of a view is not "current".
    here = queue_filter.address()
    views: list[dict[str, object]] = []
    for name, (title, _) in cases.VIEWS.items():
        href = f"?view={name}"
        view: dict[str, object] = {
            "name": name,
            "title": title,
            "icon": VIEW_ICONS[name],
            "href": href,
            "number": cases.display_count(counts[name]),
            "current": here == href,
        }
        views.append(view)
    return views


def _saved_views(
    saved: Sequence[SavedView], queue_filter: cases.Filter, counts: Mapping[str, int]
) -> dict[str, list[dict[str, object]]]:
    """Saved views of the user's teams, and the user's own."""
    here = replace(queue_filter, after="")
    lists: dict[str, list[dict[str, object]]] = {"team": [], "private": []}
    for view in saved:
        count = counts.get(str(view.pk))
        saved_filter = cases.Filter.of(QueryDict(view.query[1:]), queue_filter.reader)
        entry = {
            "pk": view.pk,
            "name": view.name,
            "href": saved_filter.address(),
            "number": "" if count is None else cases.display_count(count),
            "current": saved_filter == here,
            # Who saved a view for the team may remove it.
            "is_own": view.owner_id == queue_filter.reader,
        }
        lists["team" if view.team_id else "private"].append(entry)
    return lists


def _chips(
    queue_filter: cases.Filter, agents: Sequence[tuple[str, str]]
) -> list[_Choice]:
    words: dict[str, Mapping[str, StrOrPromise]] = {
        "kind": dict(KINDS),
        "agent": dict(agents),
        "due": cases.DUE,
        "band": cases.BANDS,
        "origin": cases.ORIGINS,
        "review_in": cases.REVIEW_IN,
        "checklist": cases.CHECKLIST,
        "analyst": {"me": gettext("Me"), "none": gettext("Nobody")},
    }
    chips = []
    for field, title in CHIPS.items():
        value = getattr(queue_filter, field)
        if value:
            label = words.get(field, {}).get(value, value)
            if field == "country":
                label = country_name(value)
            chips.append(_Choice(title, queue_filter.address(**{field: ""}), label))
    return chips


def _sorts(queue_filter: cases.Filter) -> list[_Choice]:
    sorts: list[_Choice] = []
    for name, (title, _) in cases.SORTS.items():
        sorts.append(
            _Choice(
                title,
                queue_filter.address(sort=name),
                current=name == queue_filter.order,
            )
        )
    return sorts


def _fields(
    queue_filter: cases.Filter, agents: Sequence[tuple[str, str]]
) -> list[_Field]:
    choices: dict[str, Sequence[tuple[str, StrOrPromise]]] = {
        "kind": KINDS,
        "agent": agents,
        "recommendation": [
            (name, shown(name.capitalize())) for name in cases.RECOMMENDATIONS
        ],
        "due": list(cases.DUE.items()),
        "outcome": [("approve", gettext("Approved")), ("reject", gettext("Rejected"))],
        "band": list(cases.BANDS.items()),
        "origin": list(cases.ORIGINS.items()),
        "review_in": list(cases.REVIEW_IN.items()),
        "checklist": list(cases.CHECKLIST.items()),
        "country": [],
        "analyst": [],
        "risk": [],
        "tag": [],
    }
    hints = {
        "country": country_name("NO"),
        "analyst": gettext("me, none or a name"),
        "risk": "1",
        "tag": "",
    }
    fields: list[_Field] = []
    for name, values in choices.items():
        fields.append(
            _Field(
                name,
                CHIPS[name],
                values,
                _typed(queue_filter, name),
                hints.get(name, ""),
            )
        )
    return fields


def _typed(queue_filter: cases.Filter, name: str) -> str:
    """What a field of the filter holds: of a country the name, which it takes as well as the code."""
    value: str = getattr(queue_filter, name)
    return country_name(value) if name == "country" else value
