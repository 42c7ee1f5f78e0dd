"""What people do from the queue: take the next case, assign, put aside, many at once, keep a view."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from compliance.security import csv_cells
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import BulkAct, QueueLayout, SavedView, Severity, Team
from reviews.pages.queue.queue import case_of
from reviews.people import assignment
from reviews.queue import bulk
from reviews.queue import filters as cases

SLEEPS = {"1h": ("1 hour", 1), "4h": ("4 hours", 4), "1d": ("1 day", 24), "7d": ("7 days", 168)}


def _back(request: HttpRequest) -> HttpResponse:
    """To where the form was, if that is a page of ours."""
    to = request.POST.get("back", "")
    is_ours = url_has_allowed_host_and_scheme(to, allowed_hosts=None) and to.startswith(("/", "?"))
    return redirect(("/" + to if to.startswith("?") else to) if is_ours else "queue")


@readers_only
@require_POST
def claim(request: HttpRequest) -> HttpResponse:
    """Take the most urgent case that is nobody's, among those that the queue shows now."""
    person = person_of(request)
    wanted = cases.Filter.of(QueryDict(request.POST.get("back", "").partition("?")[2]))
    among = roles.visible(person)
    if wanted.view in {"review", "all"}:
        among = wanted.apply(among, person)
    case = assignment.claim_next(person, among)
    if case is None:
        messages.info(request, "There is no unassigned case here.")
        return _back(request)
    return redirect(case)


@readers_only
@require_POST
def assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a case (nobody named), give it to somebody, or put it down."""
    person, case = person_of(request), case_of(request, pk)
    named = request.POST.get("to", "me")
    try:
        assignment.assign(case, _named(named, person), actor=person)
    except assignment.NotPossibleError as exc:
        messages.error(request, str(exc))
    return _back(request)


def _named(name: str, person: User) -> User | None:
    if name == "none":
        return None
    return person if name == "me" else assignment.person_by_name(name)


@readers_only
@require_POST
def snooze(request: HttpRequest, pk: int) -> HttpResponse:
    person, case = person_of(request), case_of(request, pk)
    try:
        assignment.snooze(case, _until(request.POST.get("for", "")), actor=person)
    except assignment.NotPossibleError as exc:
        messages.error(request, str(exc))
    return _back(request)


def _until(name: str) -> datetime | None:
    return now() + timedelta(hours=SLEEPS[name][1]) if name in SLEEPS else None


@readers_only
@require_POST
def act(request: HttpRequest) -> HttpResponseBase:
    """One act on the selected cases; the page of it shows how far it is."""
    person = person_of(request)
    chosen = [int(pk) for pk in request.POST.getlist("case")[: bulk.MOST] if pk.isdecimal()]
    wish = request.POST.get("act", "")
    if not chosen:
        messages.error(request, "No case is selected.")
        return _back(request)
    if wish == "csv":
        return _csv(person, chosen)
    if wish == "reports":
        return redirect(f"{reverse('reports')}?{urlencode({'case': chosen}, doseq=True)}")
    if wish not in BulkAct.Act.values:
        raise Http404
    until = _until(request.POST.get("for", ""))
    to: dict[str, Any] = {"until": until.isoformat() if until else None}
    if wish == BulkAct.Act.ASSIGN:
        try:
            named = _named(request.POST.get("to") or "me", person)
        except assignment.NotPossibleError as exc:
            messages.error(request, str(exc))
            return _back(request)
        to = {"analyst": named.pk if named else None}
    made = bulk.begin(wish, chosen, actor=person, to=to)
    return redirect("bulk", pk=made.pk)


@readers_only
@require_GET
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(BulkAct, pk=pk, by=person_of(request))
    context = {"nav": "queue", "row": row, "total": len(row.cases)}
    is_part = bool(request.headers.get("HX-Request"))
    template = "reviews/_bulk.html" if is_part else "reviews/bulk.html"
    return render(request, template, context)


def _csv(person: User, chosen: list[int]) -> StreamingHttpResponse:
    found = roles.visible(person).filter(pk__in=chosen).order_by("pk")
    columns = ("reference", "subject", "kind", "country", "status", "recommendation",
               "recommendation_reasons", "requirements_version", "risk", "severity", "analyst__username",
               "created_at", "due_at")  # fmt: skip

    class Line:
        def write(self, text: str) -> str:
            return text

    def lines() -> Iterator[str]:
        writer = csv.writer(Line())
        yield writer.writerow([column.partition("__")[0] for column in columns])
        for row in found.values(*columns):
            row["severity"] = Severity(row["severity"]).label
            yield writer.writerow([_cell(row[column]) for column in columns])

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="cases.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _cell(value: Any) -> str:
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    elif isinstance(value, datetime):
        value = value.isoformat()
    return "" if value is None else csv_cells.escape(str(value))


@readers_only
@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Keep the filters and order of the page under a name, for oneself or one's team."""
    person = person_of(request)
    query = request.POST.get("query", "")
    wanted = cases.Filter.of({k: v[-1] for k, v in parse_qs(query.lstrip("?")).items()})
    name = " ".join(request.POST.get("name", "").split())[:40]
    team = request.POST.get("team", "")
    shared = Team.objects.filter(members=person).first() if team else None
    if not name or len(wanted.address()) > 500:
        messages.error(request, "Give the view a name.")
    else:
        SavedView.objects.create(owner=person, team=shared, name=name, query=wanted.address())
    return redirect("/" + wanted.address())


@readers_only
@require_POST
def keep_layout(request: HttpRequest) -> HttpResponse:
    """Keep which columns a person sees, and how close the rows stand."""
    shown, density = request.POST.getlist("column"), request.POST.get("density", "")
    known = density in QueueLayout.Density.values
    wanted = {
        "hidden": [name for name in QueueLayout.COLUMNS if name not in shown],
        "density": density if known else QueueLayout.Density.COMFORTABLE,
    }
    QueueLayout.objects.update_or_create(user=person_of(request), defaults=wanted)
    return _back(request)


@readers_only
@require_POST
def drop_view(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(SavedView, pk=pk, owner=person_of(request)).delete()
    return redirect("queue")
