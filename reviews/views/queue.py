"""The queue page, and the parts of it that are asked for again: its rows, and a look at a case."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from compliance import statements
from reviews import queue as cases
from reviews import queue_page, roles
from reviews.models import Case, Kind, QueueLayout, SavedView
from reviews.views.access import person_of, readers_only
from reviews.views.queue_lines import due_in_words, lines_of

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
MOST_FOUND = 8
MOST_COUNTED = 20  # of the saved views, each time that the queue is drawn
# The filters as chips: what each is called. Those of no field here are the view, order and place.
CHIPS = {
    "q": "Search",
    "kind": "Kind",
    "country": "Country",
    "agent": "Agent",
    "recommendation": "Recommendation",
    "analyst": "Analyst",
    "risk": "Risk from",
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


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def queue(request: HttpRequest) -> HttpResponse:
    context = _context(request)
    return render(request, "reviews/queue.html", {"nav": "queue", **context})


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def rows(request: HttpRequest) -> HttpResponse:
    context = _context(request)
    if request.headers.get("If-None-Match") == context["etag"]:
        return HttpResponseNotModified()
    response = render(request, "reviews/_queue_update.html", context)
    response["ETag"] = context["etag"]
    return response


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def find(request: HttpRequest) -> HttpResponse:
    """The newest cases that a few letters lead to, for the palette."""
    user = person_of(request)
    wanted = cases.Filter.of({"view": "all", "q": request.GET.get("q", "")})
    found = queue_page.page(wanted, user, roles.connection_ids(user))[0] if wanted.q else []
    context = {"q": wanted.q, "lines": lines_of(found[:MOST_FOUND])}
    return render(request, "reviews/_found.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def peek(request: HttpRequest, pk: int) -> HttpResponse:
    """What an analyst wants to know before opening a case."""
    found = roles.visible(request.user).select_related("analyst", "agent", "connection")
    case = get_object_or_404(found, pk=pk)
    pages = case.documents.filter(pages__number=1).order_by("created_at", "id")
    summary = case.summary if isinstance(case.summary, dict) else {}
    pairs = summary.get("checks") if isinstance(summary.get("checks"), list) else []
    told = [pair for pair in pairs or [] if isinstance(pair, list) and len(pair) == 2]
    context = {
        "case": case,
        "finding": summary.get("finding", ""),
        "against": [p for p in told if p[1] in {"fail", "error", "review", "inconclusive"}],
        "passed": sum(pair[1] == "pass" for pair in told),
        "documents": pages[:4],
        "due": due_in_words(case.due_at)[0],
    }
    return render(request, "reviews/_queue_peek.html", context)


def _context(request: HttpRequest) -> dict[str, Any]:
    user = person_of(request)
    wanted = cases.Filter.of(request.GET)
    among = roles.connection_ids(user)
    found, more = queue_page.page(wanted, user, among)
    choices = _choices(user, among)
    agents, saved, layout = choices.agents, choices.saved, choices.layout
    total = None if wanted.after or more else len(found)
    counted = _counted(wanted, total, saved, user, among)
    lines = tuple(lines_of(found))
    seen = request.GET.get("seen", "")
    newest = max((line.pk for line in lines), default=0)
    is_number = seen.isascii() and seen.isdigit() and len(seen) < 16
    news = sum(line.pk > int(seen) for line in lines) if is_number else 0
    views = [(view.pk, view.name) for view in saved]
    state = (wanted, sorted(counted.items()), more, views, layout.hidden, layout.density)
    said = "\n".join((repr(state), *(line.words for line in lines)))
    return {
        "wanted": wanted,
        "q": wanted.q,
        "counts": counted,
        "shown": cases.shown(counted["this"]),
        "views": _views(wanted, counted),
        "saved": _saved_views(saved, wanted, counted),
        "layout": layout,
        "with_status": wanted.view in {"all", "mine", "snoozed"},
        "chips": _chips(wanted, agents),
        "sorts": _sorts(wanted),
        "fields": _fields(wanted, agents),
        "lines": lines,
        "overdue": sum(line.due_color == "fail" for line in lines),
        "soon": sum(line.due_color == "warn" for line in lines),
        "older": wanted.address(after=found[-1].key(wanted.order)) if more else "",
        "newest": wanted.address() if wanted.after else "",
        "here": wanted.address(after=wanted.after),
        "poll": reverse("queue-rows") + wanted.address(after=wanted.after)
        + (f"&seen={newest}" if lines else ""),
        "news": news,
        "etag": f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"',
    }  # fmt: skip


def wanted_here(wanted: cases.Filter) -> cases.Filter:
    """All pages of what this one is of."""
    return replace(wanted, after="")


def _counted(
    wanted: cases.Filter,
    total: int | None,
    saved: list[SavedView],
    user: User,
    among: Sequence[int] | None,
) -> dict[str, int]:
    """How many cases each view and this queue hold; `total`: known, because all are on the page."""
    here = wanted_here(wanted)
    plain = here.view if replace(here, sort="") == cases.Filter(view=here.view) else ""
    also = {} if plain or total is not None else {"this": here}
    counted = cases.by_view(user, among, also, _to_count(saved))
    if plain and total is not None:
        counted[plain] = total
    counted.setdefault("this", counted[plain] if plain else total or 0)
    return counted


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


class _Choices(NamedTuple):
    """What a person may choose from, and what was chosen last time."""

    agents: list[tuple[str, str]]
    saved: list[SavedView]
    layout: QueueLayout


def _choices(user: User, among: Sequence[int] | None) -> _Choices:
    """Three short lists in one statement."""
    ids = ", ".join(["%s"] * len(among or ())) or "NULL"
    only = "" if among is None else f"WHERE connection_id IN ({ids})"
    rows = sorted(statements.asked(_CHOICES.format(only=only), [*(among or ()), *[user.pk] * 3]))
    agents = [(str(pk), name) for kind, name, pk, _, _ in rows if kind == "agent"]
    views = [
        SavedView(pk=pk, name=name, query=query, team_id=team)
        for kind, name, pk, query, team in rows
        if kind == "view"
    ]
    layouts = [
        QueueLayout(user=user, density=density, hidden=json.loads(hidden))
        for kind, density, _, hidden, _ in rows
        if kind == "layout"
    ]
    return _Choices(agents[:MOST_AGENTS], views, layouts[0] if layouts else QueueLayout(user=user))


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


def case_of(request: HttpRequest, pk: int) -> Case:
    """A case that the user may see, or 404."""
    return get_object_or_404(roles.visible(request.user), pk=pk)
