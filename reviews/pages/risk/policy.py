"""The risk policy: the live version, other versions, the editor, trials, and making one live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import (
    HttpRequest,
    HttpResponse,
)
from django.shortcuts import get_object_or_404, render
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
from reviews.models import Band, CaseRating, PolicyTrial, RiskPolicy, TrialChange
from reviews.pages.policies import versions as policy_versions
from reviews.risk import batches, editing, policies, trials
from reviews.risk.engine.factors import FACTORS
from reviews.risk.engine.policy import BANDS, Policy, PolicyError
from reviews.risk.trials import Reason
from reviews.risk.view import COLORS
from reviews.risk.words import title as title_of

PAGE = 50  # changes of a trial on one page
MOST_REASONS = 3
MOST_VERSIONS = 100

seers_only = permission_required("reviews.view_riskpolicy", raise_exception=True)


@dataclass(frozen=True)
class ChangeLine:
    """A case whose band would change, with the reasons."""

    row: TrialChange
    reasons: list[Reason]
    overrides: list[str]

    @property
    def color(self) -> str:
        return COLORS[Band(self.row.band)]

    @property
    def new_color(self) -> str:
        return COLORS[Band(self.row.new_band)]


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """The live version."""
    return _version(request, policies.live())


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def version(request: HttpRequest, number: int) -> HttpResponse:
    return _version(request, _policy(number))


def _policy(number: int) -> RiskPolicy:
    rows = RiskPolicy.objects.select_related("made_by")
    return get_object_or_404(rows, number=number)


def _version(request: HttpRequest, row: RiskPolicy, *, fault: str = "") -> HttpResponse:
    user = person_of(request)
    live = policies.live()
    content = Policy.from_json(row.content)
    versions = RiskPolicy.objects.select_related("made_by").order_by("-number")
    is_draft = row.status == RiskPolicy.Status.DRAFT
    context = {
        "nav": "risk",
        "policy": row,
        "live": live,
        "digest": policies.digest(row),
        "form": editing.form(content),
        "versions": versions[:MOST_VERSIONS],
        "differences": editing.differences(Policy.from_json(live.content), content)
        if is_draft
        else [],
        "is_draft": is_draft,
        "may_change": user.has_perm(roles.RISK_POLICY),
        "obstacles": policies.obstacles(row) if is_draft else [],
        "fault": fault,
        "following": batches.progress(row),
        **_trial(request, row),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "reviews/risk_policy.html", context, status=status)


def _trial(request: HttpRequest, row: RiskPolicy) -> dict[str, Any]:
    """The newest trial of a version, with one page of the cases that it would change."""
    trial = trials.newest(row)
    if trial is None:
        return {"trial": None}
    user = person_of(request)
    all_changes = trial.changes.count()
    after = numbers.parse(request.GET.get("after"))
    visible = roles.only_visible(user, trial.changes.all(), "case__connection")
    # Changes in cases of other teams are only counted.
    visible_count = visible.count()
    rows = visible.select_related("case")
    if after is not None:
        rows = rows.filter(pk__gt=after)
    lines = _lines(list(rows[: PAGE + 1]), trial)
    return {
        "trial": trial,
        "matrix": _matrix(trial),
        "bands": [label for _, label in Band.choices],
        "changed": all_changes,
        "hidden": all_changes - visible_count,
        "lines": lines[:PAGE],
        "next": lines[PAGE - 1].row.pk if len(lines) > PAGE else 0,
        **policy_versions.not_tried(user, trial),
    }


def _lines(rows: list[TrialChange], trial: PolicyTrial) -> list[ChangeLine]:
    policy = Policy.from_json(trial.policy.content)
    against = Policy.from_json(trial.against.content)
    cases = [row.case_id for row in rows]
    ratings = CaseRating.objects.filter(case__in=cases).select_related("case")
    # The newest rating of each case. The trial used this rating or an earlier one.
    newest_of: dict[int, CaseRating] = {}
    for rating in ratings.order_by("id"):
        newest_of[rating.case_id] = rating
    lines = []
    for row in rows:
        reasons: list[Reason] = []
        overrides: list[str] = []
        if newest := newest_of.get(row.case_id):
            # The reasons are computed from the stored inputs, with both policies.
            reasons, overrides = trials.reasons(newest, against, policy)
        lines.append(ChangeLine(row, reasons[:MOST_REASONS], overrides))
    return lines


def _matrix(trial: PolicyTrial) -> list[tuple[str, list[tuple[int, bool]], int]]:
    """One row for each current band: its label, for each new band (count, whether it is the
    same), the sum.
    """
    # Rows are the current bands, columns the new ones.
    counts = trial.counts
    rows = []
    for band in BANDS:
        row = counts.get(band, {})
        cells = []
        for other in BANDS:
            cells.append((int(row.get(other, 0)), other == band))
        total = sum(count for count, _ in cells)
        rows.append((str(Band(band).label), cells, total))
    return rows


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def trial_part(request: HttpRequest, number: int) -> HttpResponse:
    """The progress of the trial. The page polls it while the trial runs."""
    row = _policy(number)
    context = {"policy": row, **_trial(request, row)}
    trial = context["trial"]
    is_done = trial is not None and trial.status == PolicyTrial.Status.DONE
    return policy_versions.trial_part(
        request, "reviews/_risk_trial.html", context, is_done=is_done
    )


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def following_part(request: HttpRequest, number: int) -> HttpResponse:
    """How far the cases follow a version in force. The page polls it while batches wait."""
    row = _policy(number)
    context = {"policy": row, "following": batches.progress(row)}
    return render(request, "reviews/_risk_following.html", context)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def edit(request: HttpRequest) -> HttpResponse:
    """Edit a new version, starting with the values of another one."""
    user = person_of(request)
    roles.require(user, roles.RISK_POLICY)
    base = _base(request.POST or request.GET)
    policy = Policy.from_json(base.content)
    if request.method != "POST":
        return _editor(request, base, editing.form(policy))
    # After a refusal the submitted values are shown again.
    form = editing.form(policy, request.POST.dict())
    try:
        row = policies.draft(
            actor=user, content=form.content(), note=request.POST.get("note", "")
        )
    except PolicyError as exc:
        return _editor(request, base, form, exc.faults)
    except policies.RefusedError as exc:
        return _editor(request, base, form, [str(exc)])
    messages.success(
        request,
        _("Version %(number)s is a draft. It rates nothing yet.")
        % {"number": row.number},
    )
    return _to(row)


def _base(params: Mapping[str, str]) -> RiskPolicy:
    number = numbers.parse(params.get("from"), digits=8)
    if number is None:
        return policies.live()
    return _policy(number)


def _editor(
    request: HttpRequest,
    base: RiskPolicy,
    form: editing.PolicyForm,
    faults: list[str] | None = None,
) -> HttpResponse:
    context = {
        "nav": "risk",
        "base": base,
        "form": form,
        "note": request.POST.get("note", ""),
        "faults": faults or [],
        "bands": [(band, str(Band(band).label)) for band in BANDS[1:]],
        "factors": [(name, title_of(name)) for name in FACTORS],
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/risk_editor.html", context, status=status)


@readers_only
@require_POST
def try_it(request: HttpRequest, number: int) -> HttpResponse:
    """Start a trial of a version."""
    user = person_of(request)
    roles.require(user, roles.RISK_POLICY)
    row = _policy(number)
    try:
        trials.begin(row, actor=user)
    except policies.RefusedError as exc:
        return _version(request, row, fault=str(exc))
    return _to(row)


@readers_only
@require_POST
def make_live(request: HttpRequest, number: int) -> HttpResponse:
    """Make a version live. If a second person is required, make a proposal."""
    user = person_of(request)
    roles.require(user, roles.RISK_POLICY)
    row = _policy(number)
    try:
        proposal = policies.make_live(row, actor=user)
    except policies.RefusedError as exc:
        return _version(request, _policy(number), fault=str(exc))
    if proposal is not None:
        return policy_versions.to_approvals(request)
    messages.success(
        request,
        _("Version %(number)s is in force. All cases are rated again.")
        % {"number": number},
    )
    return _to(row)


def _to(row: RiskPolicy) -> HttpResponse:
    return policy_versions.to_version("risk-version", row.number)
