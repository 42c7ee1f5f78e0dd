"""Privacy of all cases: retention rules, the cases they cover, holds, and erasures."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from compliance.security import csv_cells
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.audit import trail
from reviews.models import Case, Erasure, LegalHold, RetentionRule
from reviews.privacy import erasures, holds, retention

SHOWN = 100
OPEN = (Erasure.Status.PLANNED, Erasure.Status.RUNNING)

seers_only = permission_required(roles.PRIVACY, raise_exception=True)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(request: HttpRequest, *, fault: str = "") -> HttpResponse:
    user = person_of(request)
    all_rules = list(RetentionRule.objects.all())
    active = [rule for rule in all_rules if rule.is_active]
    rules = []
    for rule in all_rules:
        # A rule covers all teams; the user sees the number of own cases.
        due_cases = retention.due(rule, active=active)
        cases = roles.only_visible(user, due_cases, "connection")
        count = cases.count()
        rules.append((rule, count))
    erasures_seen = Erasure.objects.filter(case__in=roles.visible(user))
    erasures_seen = erasures_seen.select_related("case", "by", "second_by")
    open_erasures = erasures_seen.filter(status__in=OPEN)
    ended = erasures_seen.exclude(status__in=OPEN)
    context = {
        "nav": "privacy",
        "rules": rules,
        "holds": _holds(request)[:SHOWN],
        "open_erasures": open_erasures[:SHOWN],
        "ended": ended[:SHOWN],
        "fault": fault,
        "may_hold": user.has_perm(roles.HOLD),
        "may_erase": user.has_perm(roles.ERASE),
        "may_confirm": user.has_perm(roles.CONFIRM_ERASURE),
    }
    status = HTTPStatus.OK
    if fault:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "reviews/privacy.html", context, status=status)


def _holds(request: HttpRequest) -> QuerySet[LegalHold]:
    visible = roles.visible(request.user)
    of_others = Case.objects.exclude(pk__in=visible.values("pk"))
    rows = LegalHold.standing().select_related("case", "by")
    # Not "holds of visible cases": a hold on a reference may have no case yet.
    return rows.exclude(case__in=of_others)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def due(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The cases that a rule would erase now, whether it is active or not. Nothing is erased
    here.
    """
    rule = get_object_or_404(RetentionRule, pk=pk)
    cases = roles.only_visible(request.user, retention.due(rule), "connection")
    if request.GET.get("as") == "csv":
        return _csv(request, rule, cases)
    context = {
        "nav": "privacy",
        "rule": rule,
        "cases": cases.select_related("connection")[:SHOWN],
        "count": cases.count(),
    }
    return render(request, "reviews/privacy_due.html", context)


def _csv(
    request: HttpRequest, rule: RetentionRule, cases: QuerySet[Case]
) -> StreamingHttpResponse:
    user = person_of(request)
    # The list names cases, so taking it is recorded.
    data = {"rule": rule.pk, "cases": cases.count()}
    trail.record(None, "due_list_taken", data, user=user)
    lines = _lines(cases)
    response = StreamingHttpResponse(lines, content_type="text/csv")
    name = f"due-for-erasure-{now():%Y%m%d}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


class _Line:
    """A file object whose write() returns the line, so that csv.writer can feed a stream."""

    def write(self, line: str) -> str:
        return line


def _lines(cases: QuerySet[Any]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(["case", "connection", "kind", "status", "since"])
    rows = cases.values_list(
        "reference",
        "connection__slug",
        "kind",
        "status",
        "since",
    )
    for reference, slug, kind, status, since in rows.iterator(chunk_size=500):
        # References are chosen by others, and must not be run as a formula.
        name = csv_cells.escape(reference)
        time = since.isoformat()
        yield writer.writerow([name, slug, kind, status, time])


def back() -> HttpResponse:
    return HttpResponseRedirect(reverse("privacy"), status=HTTPStatus.SEE_OTHER)


@readers_only
@require_POST
def hold(request: HttpRequest) -> HttpResponse:
    """Place a hold on all cases with a reference."""
    reason = request.POST.get("reason", "")
    reference = request.POST.get("reference", "")
    actor = person_of(request)
    try:
        placed = holds.place(actor=actor, reason=reason, reference=reference[:255])
    except ValueError as exc:
        return _page(request, fault=str(exc))
    erased = roles.visible(actor).filter(
        reference=placed.reference, erased_at__isnull=False
    )
    if count := erased.count():
        sentence = ngettext(
            "The hold comes too late for %(count)d case with this reference: its personal data were"
            " erased before.",
            "The hold comes too late for %(count)d cases with this reference: their personal data"
            " were erased before.",
            count,
        )
        messages.warning(request, sentence % {"count": count})
    return back()


@readers_only
@require_POST
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_holds(request), pk=pk)
    reason = request.POST.get("reason", "")
    try:
        holds.lift(row, actor=person_of(request), reason=reason)
    except ValueError as exc:
        return _page(request, fault=str(exc))
    messages.success(request, _("%(hold)s is lifted.") % {"hold": row})
    return back()


def _erasure(request: HttpRequest, pk: int) -> Erasure:
    visible = roles.visible(request.user)
    rows = Erasure.objects.filter(case__in=visible)
    rows = rows.select_related("case", "rule")
    return get_object_or_404(rows, pk=pk)


@readers_only
@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    erasure = _erasure(request, pk)
    try:
        erasures.confirm(erasure, actor=person_of(request))
    except erasures.RefusedError as exc:
        return _page(request, fault=str(exc))
    messages.success(
        request,
        _("%(reference)s is erased now.") % {"reference": erasure.case.reference},
    )
    return back()


@readers_only
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    erasure = _erasure(request, pk)
    reason = request.POST.get("reason", "")
    try:
        erasures.withdraw(erasure, actor=person_of(request), reason=reason)
    except erasures.RefusedError as exc:
        return _page(request, fault=str(exc))
    messages.success(
        request,
        _("The erasure of %(reference)s is withdrawn.")
        % {"reference": erasure.case.reference},
    )
    return back()
