"""Bulk approval of clean cases, after a random sample of them was drawn for a full look.

The sample is recorded before any case is approved. A drawn case is never approved in bulk
later, so nobody can repeat the draw until the sample suits them.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import clean_cases
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.decisions.policies import looks
from reviews.models import (
    BulkAct,
    BulkApproval,
    BulkApprovalCase,
    Case,
    Decision,
    Outcome,
    ReasonCode,
)
from reviews.queue import bulk
from reviews.queue.filters import Filter

# Each case needs its results read, about 10 ms: a page with this many takes about a second.
MOST = 100
AGREES, DIFFERS, OPEN = "agrees", "differs", "open"
OUTCOMES = {
    AGREES: gettext_lazy("Approved, too"),
    DIFFERS: gettext_lazy("Decided otherwise"),
    OPEN: gettext_lazy("Not looked at yet"),
}


@dataclass(frozen=True)
class Fit:
    """A case, and the reasons why it cannot be approved in bulk; none: it can."""

    case: Case
    obstacles: Sequence[str]


def fits(case_ids: Iterable[int], *, actor: User) -> list[Fit]:
    """Judge these cases for a bulk approval, in their order, if the person may see them."""
    roles.require(actor, roles.DECIDE)
    ids = list(dict.fromkeys(case_ids))[:MOST]
    rows = roles.visible(actor).select_related("connection", "agent", "procedure")
    by_pk = rows.in_bulk(ids)
    judgements: list[Fit] = []
    for pk in ids:
        case = by_pk.get(pk)
        if case is not None:
            judgements.append(Fit(case, clean_cases.objections(case, actor)))
    return judgements


def candidates(queue_filter: Filter, *, actor: User) -> list[int]:
    """The ids of possibly clean cases in a view of the queue, the most urgent first."""
    rows = queue_filter.apply(roles.visible(actor), actor)
    rows = clean_cases.candidates(rows, actor).order_by("due_at", "pk")
    return list(rows.values_list("pk", flat=True)[:MOST])


def sample_size(count: int, share: int) -> int:
    """How many of `count` cases are drawn: `share` percent, rounded up, at least one."""
    # -(-a // b) is the integer division rounded up.
    return min(count, max(1, -(-count * share // 100)))


def by_share(cases: Iterable[Case]) -> dict[int, list[Case]]:
    """The cases by the share for their kind. A sample is drawn from each group."""
    groups: dict[int, list[Case]] = {}
    for case in cases:
        share = settings.BULK_SAMPLE_PERCENT_BY_KIND[case.kind]
        groups.setdefault(share, []).append(case)
    return groups


def whole_sample_size(cases: Iterable[Case]) -> int:
    """How many of these cases are drawn in total."""
    return sum(
        sample_size(len(group), share) for share, group in by_share(cases).items()
    )


def shares_of(cases: Iterable[Case]) -> dict[str, int]:
    """The shares that apply to these cases, by kind."""
    kinds = sorted({case.kind for case in cases})
    return {kind: settings.BULK_SAMPLE_PERCENT_BY_KIND[kind] for kind in kinds}


@transaction.atomic
def draw(case_ids: Iterable[int], *, actor: User) -> BulkApproval:
    """Record the clean ones of the cases as a bulk approval, and draw the sample.

    Raises PermissionDenied and RefusedError.
    """
    cases = []
    for fit in fits(case_ids, actor=actor):
        if not fit.obstacles:
            cases.append(fit.case)
    if not cases:
        raise RefusedError(_("None of the cases fits."))
    sample: set[int] = set()
    shares = shares_of(cases)
    for group_share, group in by_share(cases).items():
        size = sample_size(len(group), group_share)
        # SystemRandom cannot be predicted or repeated by a seed.
        drawn_cases = secrets.SystemRandom().sample(group, size)
        sample.update(case.pk for case in drawn_cases)
    # If kinds have different shares, the row has the overall share, and the line of the trail
    # both.
    different_shares = set(shares.values())
    if len(different_shares) == 1:
        share = different_shares.pop()
    else:
        # Rounded up.
        share = -(-len(sample) * 100 // len(cases))
    approval = BulkApproval.objects.create(by=actor, share=share)
    lines = [
        BulkApprovalCase.objects.create(
            approval=approval,
            case=case,
            revision=case.revision,
            is_sample=case.pk in sample,
        )
        for case in cases
    ]
    data = {
        "bulk": approval.pk,
        "share": share,
        "shares": shares,
        "cases": [case.pk for case in cases],
        "sample": sorted(sample),
    }
    trail.record(None, "bulk_sample_drawn", data, user=actor, about=[approval, *lines])
    for case in cases:
        if case.pk in sample:
            trail.record(case, "drawn_as_sample", {"bulk": approval.pk}, user=actor)
    return approval


@transaction.atomic
def confirm(approval: BulkApproval, *, actor: User, reasons: Sequence[str]) -> BulkAct:
    """Queue the approval of all cases that were not drawn, each by a decision of its own.

    Raises PermissionDenied, RefusedError and StaleError.
    """
    roles.require(actor, roles.DECIDE)
    codes = ReasonCode.objects.filter(
        outcome=Outcome.APPROVE,
        is_active=True,
    )
    chosen = codes.filter(code__in=list(reasons)).values_list("code", flat=True)
    if not chosen:
        raise RefusedError(_("Choose at least one reason of this outcome."))
    others = approval.cases.filter(is_sample=False)
    ids = list(others.values_list("case", flat=True))
    if not ids:
        raise RefusedError(_("Nothing is left to approve: all of it was drawn."))
    act = bulk.begin(
        BulkAct.Act.APPROVE, ids, actor=actor, to={"approval": approval.pk}
    )
    # If somebody else has confirmed it, the error also rolls back the act above.
    moved = approval.move(
        BulkApproval.Status.CONFIRMED, reasons=sorted(chosen), act=act
    )
    if not moved:
        raise StaleError(_("It is confirmed already."))
    data = {"bulk": approval.pk, "cases": ids, "reasons": approval.reasons}
    trail.record(None, "bulk_approval_confirmed", data, user=actor, about=[approval])
    return act


@dataclass(frozen=True)
class Sample:
    """A drawn case, and the outcome of its full look."""

    line: BulkApprovalCase
    outcome: str
    decision: Decision | None

    @property
    def words(self) -> str:
        return str(OUTCOMES[self.outcome])


def samples(
    rows: QuerySet[BulkApprovalCase], *, most: int | None = None
) -> list[Sample]:
    """The drawn cases among these lines, with their outcomes; at most `most`."""
    decided = Decision.objects.exclude(status=Decision.Status.RETURNED)
    decided = decided.select_related("made_by").order_by("id")
    rows = rows.filter(is_sample=True).select_related("approval__by", "case")
    rows = rows.prefetch_related(Prefetch("case__decisions", decided))
    hidden = decided.filter(looks.awaited(), case__in=rows.values("case"))
    awaited = set(hidden.values_list("pk", flat=True))
    samples: list[Sample] = []
    for line in rows[:most]:
        samples.append(_sample(line, awaited))
    return samples


def _sample(line: BulkApprovalCase, awaited: Container[int]) -> Sample:
    """Only the first decision after the draw counts: later ones are not the result of the look. A
    decision whose second look is awaited is not told.
    """
    for decision in line.case.decisions.all():
        if decision.made_at >= line.approval.made_at:
            if decision.pk in awaited:
                break
            agrees = decision.outcome == Outcome.APPROVE
            return Sample(line, AGREES if agrees else DIFFERS, decision)
    return Sample(line, OPEN, None)


def visible_lines(user: User) -> QuerySet[BulkApprovalCase]:
    """The cases of bulk approvals that the user may see."""
    return roles.only_visible(user, BulkApprovalCase.objects.all(), "case__connection")


def visible(user: User) -> QuerySet[BulkApproval]:
    """The bulk approvals with a case that the user may see."""
    lines = visible_lines(user).filter(approval=OuterRef("pk"))
    return BulkApproval.objects.filter(Exists(lines)).select_related("by", "act")


def counts(rows: Iterable[Sample]) -> Counter[str]:
    """The number of samples by outcome."""
    return Counter(sample.outcome for sample in rows)
