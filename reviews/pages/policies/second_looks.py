"""Second looks: the list, the case without its decision, and the error rates."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.decisions.policies import error_rates, looks
from reviews.findings import recommendations
from reviews.findings.review_state import ReviewState
from reviews.findings.values import figures as figures_of_fields
from reviews.models import ENDING, Case, SecondLook
from reviews.pages.records.report import Record
from reviews.results.reading import label, shown
from reviews.results.words import translated
from reviews.versions.errors import RefusedError

MOST = 100
LONGEST_FACT = 400  # characters of an attested value
# For users who may see who decided what, and how often a second look differs.
rates_only = permission_required("reviews.view_secondlook", raise_exception=True)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """Second looks that wait and that the user may take. It reveals nothing about the decisions."""
    person = person_of(request)
    roles.require(person, roles.DECIDE)
    rows = list(looks.waiting(person)[: MOST + 1])
    context = {
        "nav": "second-looks",
        "looks": rows[:MOST],
        "is_cut": len(rows) > MOST,
        "most": MOST,
    }
    return render(request, "reviews/second_looks.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The case of a second look that the user has taken, without the decision and people's
    comments.
    """
    return _detail(request, _look(request, pk))


def _look(request: HttpRequest, pk: int) -> SecondLook:
    person = person_of(request)
    roles.require(person, roles.DECIDE)
    rows = looks.visible(person).select_related("decision")
    return get_object_or_404(rows, pk=pk)


def _detail(
    request: HttpRequest, look: SecondLook, faults: Sequence[str] = ()
) -> HttpResponse:
    person = person_of(request)
    is_mine = look.by_id == person.pk
    is_taken = is_mine and look.status == SecondLook.Status.TAKEN
    is_given = is_mine and look.status == SecondLook.Status.GIVEN
    context = {
        "nav": "second-looks",
        "look": look,
        "is_taken": is_taken,
        "is_given": is_given,
        "objection": "" if is_mine else looks.objection(look, person),
        "outcomes": [(outcome.value, outcome.label) for outcome in ENDING],
        "outcome": request.POST.get("outcome", ""),
        "rationale": request.POST.get("rationale", ""),
        "faults": faults,
    }
    # The case is shown only to the user who has taken the second look.
    if is_taken:
        record = Record(look.case, ReviewState.of(look.case), person)
        context["record"] = record
        context["facts"] = _facts(look.case)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/second_look.html", context, status=status)


def _facts(case: Case) -> dict[str, str]:
    """The attested data and the agent's recommendation. Risk and next review would reveal the
    decision.
    """
    facts = {
        _("Kind"): str(case.get_kind_display()),
        _("Agent recommended"): recommendations.word(case.recommendation),
    }
    attested = case.self_attested_data
    if isinstance(attested, dict):
        for name, value in attested.items():
            facts[translated(label(str(name)))] = shown(value, LONGEST_FACT)
    return facts


@readers_only
@require_POST
def take(request: HttpRequest, pk: int) -> HttpResponse:
    look = _look(request, pk)
    try:
        looks.take(look, actor=person_of(request))
    except RefusedError as exc:
        return _detail(request, look, exc.faults)
    return _to(look)


@readers_only
@require_POST
def give(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit one's own outcome, or return the second look to the list."""
    look = _look(request, pk)
    person = person_of(request)
    try:
        if request.POST.get("act") == "put_back":
            looks.put_back(look, actor=person)
            messages.info(request, _("The look waits for somebody else."))
            return _to_list()
        # The outcome of the decision is compared after this look is stored.
        agrees = looks.give(
            look,
            actor=person,
            outcome=request.POST.get("outcome", ""),
            rationale=request.POST.get("rationale", ""),
        )
    except RefusedError as exc:
        return _detail(request, _look(request, pk), exc.faults)
    words = _("You would have decided the same.")
    if not agrees:
        words = _("The decision was another one. It stays; seniors are told.")
    messages.success(request, words)
    return _to(look)


@readers_only
@rates_only
@require_safe
@cache_control(private=True, no_store=True)
def rates(request: HttpRequest) -> HttpResponse:
    """How often second looks had another outcome than the decision, and how fields were read."""
    person = person_of(request)
    completed_looks = looks.visible(person).filter(status=SecondLook.Status.GIVEN)
    completed_looks = completed_looks.select_related(
        "decision__made_by", "decision__policy"
    )
    # Second looks whose outcome differs from the decision, for the list below the figures.
    differing = []
    for look in completed_looks:
        if look.outcome != look.decision.outcome:
            differing.append(look)
    figures = error_rates.visible(person)
    context = {
        "nav": "second-looks",
        "groups": (
            (_("In all"), [figures.all]),
            (_("By agent"), figures.agents),
            (_("By version of the decision policy"), figures.versions),
            (_("By who decided first"), figures.people),
        ),
        "few": error_rates.FEW,
        "fields": figures_of_fields.visible(person),
        "differing": differing[:MOST],
        "waiting": looks.not_given(person).count(),
    }
    return render(request, "reviews/error_rates.html", context)


def _to(look: SecondLook) -> HttpResponse:
    page = reverse("second-look", args=[look.pk])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


def _to_list() -> HttpResponse:
    page = reverse("second-looks")
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
