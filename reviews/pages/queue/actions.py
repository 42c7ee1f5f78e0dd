"""Actions of the queue: take the next case, assign, snooze, act on many cases, save a view."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
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
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from compliance.http import numbers
from compliance.languages import english
from compliance.security import csv_cells
from compliance.security.personal_fields import opened
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.audit import trail
from reviews.models import BulkAct, Case, QueueLayout, SavedView, Severity, Team
from reviews.pages.queue.queue import case_of
from reviews.people import assignment
from reviews.queue import bulk
from reviews.queue import filters as cases

CSV_COLUMNS = (
    "reference", "subject", "kind", "country", "status", "recommendation",
    "recommendation_reasons", "requirements_version", "risk", "severity", "analyst__username",
    "created_at", "due_at",
)  # fmt: skip
MOST_PEOPLE = 200  # users to choose from
# Durations of a snooze: label, hours.
SLEEPS = {
    "1h": (gettext_lazy("1 hour"), 1),
    "4h": (gettext_lazy("4 hours"), 4),
    "1d": (gettext_lazy("1 day"), 24),
    "7d": (gettext_lazy("7 days"), 168),
}


def _back(request: HttpRequest) -> HttpResponse:
    """A redirect to the page with the form, if its address is on this host."""
    address = request.POST.get("back", "")
    if address.startswith("?"):
        address = f"/{address}"
    is_ours = address.startswith("/")
    if is_ours and url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return redirect(address)
    return redirect("queue")


@readers_only
@require_POST
def claim(request: HttpRequest) -> HttpResponse:
    """Take the most urgent unassigned case, among those that the queue shows with its filters."""
    person = person_of(request)
    _, _, query = request.POST.get("back", "").partition("?")
    # The filters of the page that the user came from.
    queue_filter = cases.Filter.of_address(QueryDict(query), person.pk)
    visible = roles.visible(person)
    if queue_filter.view in {"review", "all"}:
        visible = queue_filter.apply(visible, person)
    case = assignment.claim_next(person, visible)
    if case is None:
        messages.info(request, gettext("There is no unassigned case here."))
        return _back(request)
    return redirect(case)


@readers_only
@require_POST
def assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Assign the case: to oneself ("me", the default), to a user, or to nobody ("none")."""
    person = person_of(request)
    case = case_of(request, pk)
    name = request.POST.get("to", "me")
    try:
        # The case may have been decided in the meantime, or the user may not review it.
        assignment.assign(
            case,
            _analyst(name, person),
            actor=person,
            seen=request.POST.get("analyst"),
        )
    except assignment.NotPossibleError as exc:
        messages.error(request, str(exc))
    return _back(request)


@readers_only
@require_GET
def people_of_case(request: HttpRequest, pk: int) -> HttpResponse:
    """The users who may review the case, as options."""
    case = case_of(request, pk)
    roles.require(person_of(request), roles.REVIEW, case)
    people = roles.colleagues(case, roles.REVIEW)[:MOST_PEOPLE]
    return render(request, "reviews/_people.html", {"people": people})


@readers_only
@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """The users who may review any case that the current user sees, as options."""
    person = person_of(request)
    roles.require(person, roles.REVIEW)
    people = roles.reviewers(person)[:MOST_PEOPLE]
    return render(request, "reviews/_people.html", {"people": people})


def _analyst(name: str, person: User) -> User | None:
    """The user for the submitted name. Raises NotPossibleError."""
    if name == "none":
        return None
    if name == "me":
        return person
    return assignment.person_by_name(name)


@readers_only
@require_POST
def snooze(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    case = case_of(request, pk)
    until = _until(request.POST.get("for", ""))
    try:
        assignment.snooze(case, until, actor=person)
    except assignment.NotPossibleError as exc:
        messages.error(request, str(exc))
    return _back(request)


def _until(name: str) -> datetime | None:
    if name not in SLEEPS:
        return None
    _, hours = SLEEPS[name]
    return now() + timedelta(hours=hours)


@readers_only
@require_POST
def act(request: HttpRequest) -> HttpResponseBase:
    """Start one action on the selected cases. The next page shows its progress."""
    person = person_of(request)
    # Cut here already: a form may be tampered with.
    values = request.POST.getlist("case")[: bulk.MAX_CASES]
    ids = numbers.parse_all(values)
    name = request.POST.get("act", "")
    if not ids:
        messages.error(request, gettext("No case is selected."))
        return _back(request)
    if name == "csv":
        return _csv(person, ids)
    if name == "reports":
        query = urlencode({"case": ids}, doseq=True)
        return redirect(f"{reverse('reports')}?{query}")
    if name == BulkAct.Act.APPROVE:
        # The page of bulk approvals first shows which cases fit, and draws the sample.
        query = urlencode({"case": ids}, doseq=True)
        return redirect(f"{reverse('bulk-approval-new')}?{query}")
    if name not in BulkAct.Act.values:
        raise Http404
    try:
        target = _target(request, name, person)
    except assignment.NotPossibleError as exc:
        messages.error(request, str(exc))
        return _back(request)
    # A worker does the rest, case by case.
    row = bulk.begin(name, ids, actor=person, to=target)
    return redirect("bulk", pk=row.pk)


def _target(request: HttpRequest, name: str, person: User) -> bulk.Target:
    """The parameters of the action. Raises NotPossibleError."""
    if name == BulkAct.Act.ASSIGN:
        name_of_analyst = request.POST.get("to") or "me"
        analyst = _analyst(name_of_analyst, person)
        pk = analyst.pk if analyst else None
        return {"analyst": pk}
    until = _until(request.POST.get("for", ""))
    text = until.isoformat() if until else None
    return {"until": text}


@readers_only
@require_GET
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(BulkAct, pk=pk, by=person_of(request))
    context = {
        "nav": "queue",
        "row": row,
        "total": len(row.cases),
    }
    # htmx polls the part of the page that shows the progress.
    is_part = bool(request.headers.get("HX-Request"))
    template = "reviews/_bulk.html" if is_part else "reviews/bulk.html"
    response = render(request, template, context)
    is_approval = row.act == BulkAct.Act.APPROVE
    if is_part and is_approval and row.status == BulkAct.Status.DONE:
        # The page below shows the outcome of each case, so reload it.
        response["HX-Refresh"] = "true"
    return response


class _Line:
    """A file object for csv.writer. write() returns the line, so that the caller can yield it."""

    def write(self, text: str) -> str:
        return text


def _csv(person: User, ids: list[int]) -> StreamingHttpResponse:
    """The cases as CSV. The export is recorded in the audit trail. Raises PermissionDenied."""
    roles.require(person, roles.EXPORT)
    # Only cases that the user may see, whatever ids were sent.
    rows = roles.visible(person).filter(pk__in=ids).order_by("pk")
    data = {"cases": list(rows.values_list("pk", flat=True))}
    trail.record(None, "cases_exported", data, user=person)
    response = StreamingHttpResponse(
        _csv_lines(rows), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="cases.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _csv_lines(rows: QuerySet[Case]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield csv_cells.BYTE_ORDER_MARK
    titles = [column.partition("__")[0] for column in CSV_COLUMNS]
    yield writer.writerow(titles)
    for row in rows.values(*CSV_COLUMNS):
        severity = Severity(row["severity"])
        # Other systems read the file, so it is always in English.
        with english():
            row["severity"] = str(severity.label)
        cells = []
        for column in CSV_COLUMNS:
            cell = _cell(opened(row[column]))
            cells.append(cell)
        yield writer.writerow(cells)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    if isinstance(value, datetime):
        value = value.isoformat()
    return csv_cells.escape(str(value))


@readers_only
@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Save the filters and the order of the page under a name, for oneself or for one's team."""
    person = person_of(request)
    query = request.POST.get("query", "")
    params = QueryDict(query.lstrip("?"))
    # Parsed and written again, so that only valid filters are stored.
    queue_filter = cases.Filter.of_address(params, person.pk)
    stored = queue_filter.stored()
    words = request.POST.get("name", "").split()
    name = " ".join(words)[:40]
    team = None
    if request.POST.get("team", ""):
        team = Team.objects.filter(members=person).first()
    if not name or len(stored) > 500:
        messages.error(request, gettext("Give the view a name."))
    else:
        with transaction.atomic():
            # A view of the same name is replaced: nobody could tell two of them apart.
            same_name = SavedView.objects.filter(
                owner=person,
                team=team,
                name=name,
            )
            same_name.delete()
            SavedView.objects.create(
                owner=person,
                team=team,
                name=name,
                query=stored,
            )
    return redirect("/" + queue_filter.address())


@readers_only
@require_POST
def save_layout(request: HttpRequest) -> HttpResponse:
    """Save which columns the user sees, and the density of the rows."""
    columns = request.POST.getlist("column")
    density = request.POST.get("density", "")
    if density not in QueueLayout.Density.values:
        density = QueueLayout.Density.COMFORTABLE
    # Hidden columns are stored, so that a new column is visible for everybody.
    layout = {
        "hidden": [name for name in QueueLayout.COLUMNS if name not in columns],
        "density": density,
    }
    QueueLayout.objects.update_or_create(user=person_of(request), defaults=layout)
    return _back(request)


@readers_only
@require_POST
def delete_view(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(SavedView, pk=pk, owner=person_of(request)).delete()
    return redirect("queue")
