"""Bulk approvals: the cases that fit, the random sample, the approval, and the results of
samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.http import numbers
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.models import BulkApproval, Case, Decision, Outcome, ReasonCode
from reviews.queue import bulk_approvals
from reviews.queue.bulk_approvals import AGREES, DIFFERS, MOST, OPEN
from reviews.queue.dashboard import percent
from reviews.queue.filters import Filter

MOST_SAMPLES = 200
MOST_APPROVALS = 50

seers_only = permission_required("reviews.view_bulkapproval", raise_exception=True)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """The newest samples with the result of their full review, and the newest approvals."""
    person = person_of(request)
    lines = bulk_approvals.visible_lines(person).order_by("-id")
    samples = bulk_approvals.samples(lines, most=MOST_SAMPLES)
    counts = bulk_approvals.counts(samples)
    approvals = bulk_approvals.visible(person)
    context = {
        "nav": "queue",
        "samples": samples,
        "agreeing": counts[AGREES],
        "differing": counts[DIFFERS],
        "open": counts[OPEN],
        "agreement": percent(counts[AGREES], counts[AGREES] + counts[DIFFERS]),
        "most": MOST_SAMPLES,
        "approvals": approvals.annotate(approved=Count("decisions"))[:MOST_APPROVALS],
        "may_approve": person.has_perm(roles.DECIDE),
    }
    return render(request, "reviews/bulk_approvals.html", context)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def new(request: HttpRequest) -> HttpResponse:
    """Which of the chosen cases fit, and why others do not. POST draws the sample among those
    that fit.
    """
    person = person_of(request)
    roles.require(person, roles.DECIDE)
    if request.method == "POST":
        return _draw(request, person)
    return _choice(request, person)


def _choice(
    request: HttpRequest, person: User, faults: tuple[str, ...] = ()
) -> HttpResponse:
    # Without chosen cases, those of the current filters are offered. What was chosen and refused
    # is shown again, with the reasons.
    chosen = request.POST if request.method == "POST" else request.GET
    ids = _ids(chosen.getlist("case"))
    queue_filter = Filter.of_address(request.GET, person.pk)
    is_of_view = not ids
    if is_of_view:
        ids = bulk_approvals.candidates(queue_filter, actor=person)
    fits = bulk_approvals.fits(ids, actor=person)
    fitting = [fit for fit in fits if not fit.obstacles]
    cases = [fit.case for fit in fitting]
    context = {
        "nav": "queue",
        "is_of_view": is_of_view,
        "back": reverse("queue") + queue_filter.address(),
        "fitting": fitting,
        "others": [fit for fit in fits if fit.obstacles],
        "size": bulk_approvals.whole_sample_size(cases),
        "share": _shares(cases),
        "is_cut": len(ids) >= MOST,
        "most": MOST,
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/bulk_approval_new.html", context, status=status)


def _shares(cases: Sequence[Case]) -> str:
    """The share of the sample as text: one for all cases, or one for each kind."""
    shares = bulk_approvals.shares_of(cases)
    if len(set(shares.values())) == 1:
        return str(next(iter(shares.values())))
    parts = [f"{kind.upper()} {share}" for kind, share in shares.items()]
    return ", ".join(parts)


def _draw(request: HttpRequest, person: User) -> HttpResponse:
    ids = _ids(request.POST.getlist("case"))
    try:
        approval = bulk_approvals.draw(ids, actor=person)
    except RefusedError as exc:
        return _choice(request, person, exc.faults)
    return _to(approval)


def _ids(texts: list[str]) -> list[int]:
    return numbers.parse_all(texts[: MOST + 1])


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The sample, the approved cases, and those that could not be approved."""
    approval = _approval(person_of(request), pk)
    return _detail(request, approval)


def _detail(
    request: HttpRequest,
    approval: BulkApproval,
    faults: tuple[str, ...] = (),
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    person = person_of(request)
    lines = bulk_approvals.visible_lines(person).filter(approval=approval)
    others = lines.filter(is_sample=False).select_related("case")
    # A case without a decision waits, or could not be approved.
    decisions = {}
    for decision in approval.decisions.all():
        decisions[decision.case_id] = decision
    rows: list[tuple[object, Decision | None]] = []
    for line in others:
        rows.append((line.case, decisions.get(line.case_id)))
    # The reasons that the analyst may give for all cases.
    codes = ReasonCode.objects.filter(
        outcome=Outcome.APPROVE,
        is_active=True,
    )
    is_drawn = approval.status == BulkApproval.Status.DRAWN
    context = {
        "nav": "queue",
        "approval": approval,
        "samples": bulk_approvals.samples(lines),
        "rows": rows,
        "act": approval.act,
        "reasons": codes,
        "preset": ReasonCode.Claim.ALL_PASSED,
        "may_confirm": is_drawn and bool(rows) and person.has_perm(roles.DECIDE),
        "is_drawn": is_drawn,
        "faults": faults,
    }
    return render(request, "reviews/bulk_approval.html", context, status=status)


@readers_only
@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve all cases except the sample. A worker decides them one by one."""
    person = person_of(request)
    roles.require(person, roles.DECIDE)
    approval = _approval(person, pk)
    reasons = request.POST.getlist("reason")
    try:
        # Refused if the sample or the cases have changed since it was drawn.
        bulk_approvals.confirm(approval, actor=person, reasons=reasons)
    except RefusedError as exc:
        return _detail(request, approval, exc.faults, HTTPStatus.UNPROCESSABLE_ENTITY)
    except StaleError as exc:
        return _detail(request, approval, (str(exc),), HTTPStatus.CONFLICT)
    return _to(approval)


def _approval(person: User, pk: int) -> BulkApproval:
    return get_object_or_404(bulk_approvals.visible(person), pk=pk)


def _to(approval: BulkApproval) -> HttpResponse:
    page = reverse("bulk-approval", args=[approval.pk])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
