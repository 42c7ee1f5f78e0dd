"""Screening quality: figures from the labelled hits, versions of the thresholds, and the hits
they lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.http import numbers
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.decisions.policies.error_rates import FEW
from reviews.findings import hit_labels, thresholds
from reviews.findings.thresholds import ThresholdError
from reviews.models import HitLabel, LostHit, ScreeningPolicy
from reviews.screening import editing, labels_csv, quality, versions
from reviews.screening.editing import Row
from reviews.versions.errors import RefusedError

PAGE = 50  # lost hits on one page
MOST_VERSIONS = 100

seers_only = permission_required(roles.SCREENING_QUALITY, raise_exception=True)


@dataclass(frozen=True)
class Lost:
    """A confirmed hit that a draft would show to nobody, and its acknowledgement if there is
    one.
    """

    label: HitLabel
    acknowledgement: LostHit | None


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """The figures with the live thresholds."""
    return _version(request, versions.live())


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def version(request: HttpRequest, number: int) -> HttpResponse:
    return _version(request, _policy(number))


def _policy(number: int) -> ScreeningPolicy:
    rows = ScreeningPolicy.objects.select_related("made_by")
    return get_object_or_404(rows, number=number)


def _version(
    request: HttpRequest, row: ScreeningPolicy | None, *, faults: Sequence[str] = ()
) -> HttpResponse:
    user = person_of(request)
    live = versions.live()
    # Without a live version every hit asks.
    before, after = thresholds.content_of(live), thresholds.content_of(row)
    # Read once; the figures for several thresholds are computed from them.
    tallies = quality.tallies(hit_labels.visible(user))
    rows = ScreeningPolicy.objects.select_related("made_by").order_by("-number")
    is_draft = row is not None and row.status == ScreeningPolicy.Status.DRAFT
    context: dict[str, Any] = {
        "nav": "screening-quality",
        "policy": row,
        "live": live,
        "lines": editing.lines(after),
        "figures": quality.quality(tallies, after),
        "before": quality.quality(tallies, before).all,
        "steps": quality.steps(tallies, before),
        "few": FEW,
        "versions": rows[:MOST_VERSIONS],
        "is_draft": is_draft,
        "may_change": user.has_perm(roles.SCREENING_POLICY),
        "has_names": labels_csv.has_names(user),
        "faults": faults,
    }
    if row is not None and is_draft:
        context["change"] = quality.change(tallies, before, after)
        context["obstacles"] = versions.obstacles(row)
        context |= _lost(request, row)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/screening_quality.html", context, status=status)


def _lost(request: HttpRequest, row: ScreeningPolicy) -> dict[str, Any]:
    """One page of the hits that a draft loses. Hits of other teams are only counted."""
    all_lost = versions.lost(row)
    visible = hit_labels.visible(person_of(request))
    keys = set(
        visible.filter(pk__in=[label.pk for label in all_lost]).values_list(
            "pk", flat=True
        )
    )
    labels = []
    for label in all_lost:
        if label.pk in keys:
            labels.append(label)
    before = numbers.parse(request.GET.get("before"))
    losses = []
    for label in labels:
        if before is None or label.pk < before:
            losses.append(label)
    acknowledged = versions.acknowledged(row)
    return {
        "lost": [Lost(label, acknowledged.get(label.pk)) for label in losses[:PAGE]],
        "hidden": len(all_lost) - len(labels),
        "next": losses[PAGE - 1].pk if len(losses) > PAGE else 0,
    }


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def edit(request: HttpRequest) -> HttpResponse:
    """Edit a new version, starting with the rules of another one."""
    user = person_of(request)
    roles.require(user, roles.SCREENING_POLICY)
    base = _base(request)
    if request.method != "POST":
        return _editor(request, base, editing.rows_of(thresholds.content_of(base)))
    rows = editing.typed(request.POST)
    note = request.POST.get("note", "")
    try:
        content = editing.content_of(rows)
        row = versions.draft(actor=user, content=content, note=note)
    except (ThresholdError, RefusedError) as exc:
        return _editor(request, base, rows, exc.faults)
    words = _("Version %(number)s is a draft. It changes nothing yet.")
    messages.success(request, words % {"number": row.number})
    return _to(row)


def _base(request: HttpRequest) -> ScreeningPolicy | None:
    params = request.POST or request.GET
    number = numbers.parse(params.get("from"), digits=8)
    if number is None:
        return versions.live()
    return _policy(number)


def _editor(
    request: HttpRequest,
    base: ScreeningPolicy | None,
    rows: list[Row],
    faults: Sequence[str] = (),
) -> HttpResponse:
    labels = hit_labels.visible(person_of(request)).order_by("list_slug")
    context = {
        "nav": "screening-quality",
        "base": base,
        "rows": rows,
        "lists": labels.values_list("list_slug", "list_title").distinct(),
        "note": request.POST.get("note", ""),
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    template = "reviews/screening_quality_editor.html"
    return render(request, template, context, status=status)


@readers_only
@require_POST
def acknowledge(request: HttpRequest, number: int, pk: int) -> HttpResponse:
    """Store the reason why a version may go live although it hides a confirmed match."""
    user = person_of(request)
    roles.require(user, roles.SCREENING_POLICY)
    row = _policy(number)
    labels = hit_labels.visible(user).select_related("case")
    label = get_object_or_404(labels, pk=pk)
    reason = request.POST.get("reason", "")
    try:
        versions.acknowledge(row, label, actor=user, reason=reason)
    except RefusedError as exc:
        return _version(request, row, faults=exc.faults)
    return _to(row)


@readers_only
@require_POST
def make_live(request: HttpRequest, number: int) -> HttpResponse:
    """Propose to make a version live, so that it applies to new results."""
    user = person_of(request)
    roles.require(user, roles.SCREENING_POLICY)
    try:
        versions.make_live(_policy(number), actor=user)
    except RefusedError as exc:
        return _version(request, _policy(number), faults=exc.faults)
    words = _("Another person must approve this. Until then all stays as it is.")
    messages.info(request, words)
    return HttpResponseRedirect(reverse("approvals"), status=HTTPStatus.SEE_OTHER)


@readers_only
@seers_only
@require_safe
def labels(request: HttpRequest) -> StreamingHttpResponse:
    """The labelled set as a CSV file. The download is recorded in the audit trail."""
    user = person_of(request)
    names = labels_csv.has_names(user)
    # Recorded before the first line is sent.
    labels_csv.record(user, names=names)
    lines = labels_csv.lines(user, names=names)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hit-labels.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _to(row: ScreeningPolicy) -> HttpResponse:
    page = reverse("screening-quality-version", args=[row.number])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
