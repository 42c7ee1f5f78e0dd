"""The POST views for the checklist and the custom fields of a case."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _

from compliance.http.responses.form_texts import texts_of
from reviews.models import Case, ChecklistMark
from reviews.pages.case.case import case_context
from reviews.pages.case.decide import act, person, seen_case
from reviews.pages.case.selection import Address
from reviews.procedures import checklists, versions
from reviews.procedures.errors import RefusedError, StaleError
from reviews.procedures.form_fields import ValuesForm

TAB = "checklist"


@act
def mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Tick an item, explain why it is not needed, or remove its mark."""
    case, sent = seen_case(request, pk), request.POST
    # An empty kind removes the mark.
    kind = sent.get("kind", "")
    if kind not in {"", *ChecklistMark.Kind.values}:
        return HttpResponse(_("There is no such mark."), status=HTTPStatus.BAD_REQUEST)
    try:
        checklists.mark(
            case,
            sent.get("item", ""),
            actor=person(request),
            kind=kind,
            note=sent.get("note", ""),
        )
    except RefusedError as exc:
        return _refused(request, pk, exc.faults)
    return _back(request, case)


@act
def fill(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the values of all custom fields."""
    case, sent = seen_case(request, pk), request.POST
    # The form of the version that the case has, which may not be the live one.
    form = ValuesForm(versions.content_of(case.procedure), sent)
    if not form.is_valid():
        return _refused(request, pk, form.faults, form)
    try:
        checklists.fill(
            case,
            actor=person(request),
            values=form.values(),
            revision=sent.get("revision", ""),
        )
    except RefusedError as exc:
        return _refused(request, pk, exc.faults, form)
    except StaleError as exc:
        words = _("%(reason)s Look at it again.") % {"reason": exc}
        return _refused(request, pk, [words], form, status=HTTPStatus.CONFLICT)
    return _back(request, case)


@act
def take_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Move an open case to the live version of its procedure."""
    case = seen_case(request, pk)
    try:
        checklists.take_up(case, actor=person(request))
    except RefusedError as exc:
        return _refused(request, pk, exc.faults)
    return _back(request, case)


def _refused(
    request: HttpRequest,
    pk: int,
    faults: tuple[str, ...] | list[str],
    form: ValuesForm | None = None,
    *,
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY,
) -> HttpResponse:
    """The current page of the case, with the faults and the submitted values."""
    context = case_context(request, pk, params=request.POST, tab=TAB)
    context["faults"] = faults
    # The form of the values has them itself, where the case can still be changed.
    if form is None or not context["decision_form"].may_review:
        context["not_kept"] = texts_of(request)
    if form is not None:
        context["page"]["values_form"] = form
    return render(request, "reviews/case_detail.html", context, status=status)


def _back(request: HttpRequest, case: Case) -> HttpResponse:
    page = Address(case, request.POST).of_tab(TAB)
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
