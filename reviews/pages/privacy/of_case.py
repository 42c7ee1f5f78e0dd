"""Privacy of one case: holds, erasure, and the export of its subject."""

from __future__ import annotations

from datetime import UTC, datetime, time
from http import HTTPStatus

from django.contrib.auth.decorators import permission_required
from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
)
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.findings import related_cases
from reviews.models import Erasure
from reviews.pages.case.decide import seen_case
from reviews.privacy import erasures, holds, subject_export

seers_only = permission_required(roles.PRIVACY, raise_exception=True)
exporters_only = permission_required(roles.EXPORT, raise_exception=True)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def case_privacy(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk)


def _page(request: HttpRequest, pk: int, *, fault: str = "") -> HttpResponse:
    case = seen_case(request, pk)
    user = person_of(request)
    # Lifted holds stay on record.
    lifted = case.holds.exclude(lifted_at=None)
    planned = case.erasures.filter(status=Erasure.Status.PLANNED)
    context = {
        "nav": "privacy",
        "case": case,
        "refusal": erasures.refusal(case),
        "standing": holds.of_case(case),
        "earlier": lifted.select_related("by", "lifted_by"),
        "erasures": case.erasures.select_related("by", "second_by"),
        "is_planned": planned.exists(),
        "fault": fault,
        "typed": request.POST,
        "may_hold": user.has_perm(roles.HOLD),
        "may_erase": user.has_perm(roles.ERASE),
        "may_export": user.has_perm(roles.EXPORT),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "reviews/privacy_case.html", context, status=status)


@readers_only
@require_POST
def hold(request: HttpRequest, pk: int) -> HttpResponse:
    case = seen_case(request, pk)
    actor = person_of(request)
    reason = request.POST.get("reason", "")
    day = request.POST.get("until", "")
    try:
        until = _day(day)
        holds.place(
            actor=actor,
            case=case,
            reason=reason,
            until=until,
        )
    except ValueError as exc:
        return _page(request, pk, fault=str(exc))
    return _back(pk)


@readers_only
@require_POST
def erase(request: HttpRequest, pk: int) -> HttpResponse:
    case = seen_case(request, pk)
    reason = request.POST.get("reason", "")
    try:
        erasures.plan(case, actor=person_of(request), reason=reason)
    except erasures.RefusedError as exc:
        return _page(request, pk, fault=str(exc))
    return _back(pk)


@readers_only
@exporters_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def subject(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Cases that seem to be about the same subject, to choose from; POST returns the ZIP file."""
    case = seen_case(request, pk)
    user = person_of(request)
    related, has_more = related_cases.related(case, user)
    if request.method != "POST":
        context = {
            "nav": "privacy",
            "case": case,
            "related": related,
            "has_more": has_more,
        }
        return render(request, "reviews/privacy_subject.html", context)
    # Only related cases count, so that no other case can be added by its id.
    ids = request.POST.getlist("case")
    cases = [case]
    for entry in related:
        if str(entry.case.pk) in ids:
            cases.append(entry.case)
    file = subject_export.pack(cases, actor=user)
    name = f"subject-{case.pk}.zip"
    return FileResponse(file, as_attachment=True, filename=name)


def _day(text: str) -> datetime | None:
    """The end of a day, or None for "": the day is the last one of the hold. Raises ValueError."""
    if not text:
        return None
    day = parse_date(text)
    if day is None:
        raise ValueError(_("The end of the hold is not a date."))
    # Where clocks go back at midnight, the last hour of the day comes twice: the second one counts.
    last = time.max.replace(fold=1)
    end = datetime.combine(day, last, tzinfo=get_current_timezone())
    try:
        return end.astimezone(UTC)
    except OverflowError as exc:
        raise ValueError(_("The end of the hold is not a date.")) from exc


def _back(pk: int) -> HttpResponse:
    address = reverse("case-privacy", args=[pk])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
