"""The POST view for the rating of a case."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render

from compliance.http import numbers
from compliance.http.responses.form_texts import texts_of
from reviews.models import Case, RatingOverride
from reviews.pages.case.case import case_context
from reviews.pages.case.decide import act, person, seen_case
from reviews.pages.case.selection import Address
from reviews.risk import overrides


@act
def rate(request: HttpRequest, pk: int) -> HttpResponse:
    """Override the rating, approve an override as the second person, or withdraw one."""
    case = seen_case(request, pk)
    try:
        _perform(request, case)
    except overrides.RefusedError as exc:
        messages.error(request, str(exc))
        return _again(request, pk)
    page = Address(case, request.POST).of_tab("risk")
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


def _again(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of the case once more, with what was typed."""
    context = case_context(request, pk, params=request.POST, tab="risk")
    context["rating_typed"] = request.POST
    context["unsaved"] = texts_of(request)
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "reviews/case_detail.html", context, status=status)


def _perform(request: HttpRequest, case: Case) -> None:
    actor = person(request)
    what = request.POST.get("act", "")
    if what not in {"approve", "back"}:
        overrides.make(
            case,
            actor=actor,
            band=request.POST.get("band", ""),
            reason=request.POST.get("reason", ""),
        )
        return
    rows = RatingOverride.objects.filter(case=case).select_related("case")
    number = numbers.parse(request.POST.get("override"))
    override = get_object_or_404(rows, pk=number)
    if what == "approve":
        overrides.approve(override, actor=actor)
    else:
        overrides.take_back(override, actor=actor)
