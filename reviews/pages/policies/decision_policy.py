"""The decision policy: the live version, other versions, the editor, trials, and the switch."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
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
from reviews.decisions.automatic import approvals, trials
from reviews.decisions.policies import editing, versions
from reviews.decisions.policies.editing import Row
from reviews.models import (
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
)
from reviews.pages.policies import versions as policy_versions
from reviews.risk.engine.policy import PolicyError
from reviews.versions.errors import RefusedError

PAGE = 50  # contradictions of a trial on one page
MOST_VERSIONS = 100

seers_only = permission_required("reviews.view_decisionpolicy", raise_exception=True)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """The live version, or the message that there is none yet."""
    return _version(request, versions.live())


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def version(request: HttpRequest, number: int) -> HttpResponse:
    return _version(request, _policy(number))


def _policy(number: int) -> DecisionPolicy:
    rows = DecisionPolicy.objects.select_related("made_by")
    return get_object_or_404(rows, number=number)


def _version(
    request: HttpRequest, row: DecisionPolicy | None, *, faults: Sequence[str] = ()
) -> HttpResponse:
    user = person_of(request)
    live = versions.live()
    rows = DecisionPolicy.objects.select_related("made_by").order_by("-number")
    is_draft = row is not None and row.status == DecisionPolicy.Status.DRAFT
    # Decisions without a user were made automatically.
    automatic_approvals = Decision.objects.filter(made_by=None)
    visible = roles.only_visible(user, automatic_approvals, "case__connection")
    context: dict[str, Any] = {
        "nav": "decision-policy",
        "policy": row,
        "live": live,
        "lines": editing.lines(versions.content_of(row)),
        "versions": rows[:MOST_VERSIONS],
        "is_draft": is_draft,
        "is_on": approvals.is_on(),
        "approved": visible.count(),
        "may_change": user.has_perm(roles.DECISION_POLICY),
        "may_stop": user.has_perm(roles.STOP_APPROVALS),
        "faults": faults,
        "trial": None,
    }
    if row is not None:
        context["digest"] = versions.digest(row)
        context |= _trial(request, row)
    if row is not None and is_draft:
        before = versions.content_of(live)
        after = versions.content_of(row)
        context["differences"] = editing.differences(before, after)
        context["obstacles"] = versions.obstacles(row)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/decision_policy.html", context, status=status)


def _trial(request: HttpRequest, row: DecisionPolicy) -> dict[str, Any]:
    """The newest trial of a version, with one page of cases that people decided otherwise."""
    trial = versions.newest_trial(row)
    if trial is None:
        return {"trial": None}
    after = numbers.parse(request.GET.get("after"))
    user = person_of(request)
    visible = _visible(user).filter(trial=trial)
    if after is not None:
        lines = visible.filter(pk__gt=after)
    else:
        lines = visible
    # One row more than a page, to know whether there is a next page.
    page = list(lines[: PAGE + 1])
    # Contradictions in cases of other teams are only counted.
    all_of_trial = trial.contradictions.count()
    return {
        "trial": trial,
        "figures": {name: trial.counts.get(name, 0) for name in trials.FIGURES},
        "contradictions": page[:PAGE],
        "hidden": all_of_trial - visible.count(),
        "next": page[PAGE - 1].pk if len(page) > PAGE else 0,
        **policy_versions.not_tried(user, trial),
    }


def _visible(user: User) -> QuerySet[Contradiction]:
    rows = roles.only_visible(user, Contradiction.objects.all(), "case__connection")
    return rows.select_related("case", "decision__made_by", "acknowledged_by")


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def trial_part(request: HttpRequest, number: int) -> HttpResponse:
    """The progress of the trial. The page polls it while the trial runs."""
    row = _policy(number)
    context = {"policy": row, **_trial(request, row)}
    trial = context["trial"]
    is_done = trial is not None and trial.status == DecisionTrial.Status.DONE
    return policy_versions.trial_part(
        request, "reviews/_decision_trial.html", context, is_done=is_done
    )


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def edit(request: HttpRequest) -> HttpResponse:
    """Edit a new version, starting with the rules of another one."""
    user = person_of(request)
    roles.require(user, roles.DECISION_POLICY)
    base = _base(request)
    if request.method != "POST":
        rows = editing.rows_of(versions.content_of(base))
        return _editor(request, base, rows)
    # After a refusal the submitted rows are shown again.
    rows = editing.typed(request.POST)
    note = request.POST.get("note", "")
    try:
        content = editing.content_of(rows)
        row = versions.draft(actor=user, content=content, note=note)
    except PolicyError as exc:
        return _editor(request, base, rows, exc.faults)
    except RefusedError as exc:
        return _editor(request, base, rows, exc.faults)
    words = _("Version %(number)s is a draft. Nobody decides by it yet.")
    messages.success(request, words % {"number": row.number})
    return _to(row)


def _base(request: HttpRequest) -> DecisionPolicy | None:
    params = request.POST or request.GET
    number = numbers.parse(params.get("from"), digits=8)
    if number is None:
        return versions.live()
    return _policy(number)


def _editor(
    request: HttpRequest,
    base: DecisionPolicy | None,
    rows: list[Row],
    faults: Sequence[str] = (),
) -> HttpResponse:
    context = {
        "nav": "decision-policy",
        "base": base,
        "rows": rows,
        "note": request.POST.get("note", ""),
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    template = "reviews/decision_policy_editor.html"
    return render(request, template, context, status=status)


@readers_only
@require_POST
def try_it(request: HttpRequest, number: int) -> HttpResponse:
    """Start a trial of a version."""
    user = person_of(request)
    roles.require(user, roles.DECISION_POLICY)
    row = _policy(number)
    try:
        trials.begin(row, actor=user)
    except RefusedError as exc:
        return _version(request, row, faults=exc.faults)
    return _to(row)


@readers_only
@require_POST
def acknowledge(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the reason why a version may go live although people decided a case otherwise."""
    user = person_of(request)
    roles.require(user, roles.DECISION_POLICY)
    row = get_object_or_404(_visible(user).select_related("trial__policy"), pk=pk)
    version_of_row = row.trial.policy
    try:
        trials.acknowledge(row, actor=user, reason=request.POST.get("reason", ""))
    except RefusedError as exc:
        return _version(request, version_of_row, faults=exc.faults)
    return _to(version_of_row)


@readers_only
@require_POST
def make_live(request: HttpRequest, number: int) -> HttpResponse:
    """Propose to make a version live."""
    user = person_of(request)
    roles.require(user, roles.DECISION_POLICY)
    row = _policy(number)
    try:
        versions.make_live(row, actor=user)
    except RefusedError as exc:
        return _version(request, _policy(number), faults=exc.faults)
    return policy_versions.to_approvals(request)


@readers_only
@require_POST
def switch_on(request: HttpRequest) -> HttpResponse:
    """Propose to turn automatic approval on."""
    user = person_of(request)
    roles.require(user, roles.SWITCH_APPROVALS)
    try:
        approvals.switch_on(actor=user)
    except RefusedError as exc:
        return _version(request, versions.live(), faults=exc.faults)
    return policy_versions.to_approvals(request)


@readers_only
@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Stop all automatic approvals immediately."""
    user = person_of(request)
    roles.require(user, roles.STOP_APPROVALS)
    try:
        approvals.stop(actor=user, reason=request.POST.get("reason", ""))
    except RefusedError as exc:
        return _version(request, versions.live(), faults=exc.faults)
    messages.success(request, _("Nothing is approved automatically any more."))
    page = reverse("decision-policy")
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


def _to(row: DecisionPolicy) -> HttpResponse:
    return policy_versions.to_version("decision-policy-version", row.number)
