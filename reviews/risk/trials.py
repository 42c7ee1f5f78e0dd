"""Trials of a draft of the risk policy: rates present cases again from their stored inputs.

A trial reads no document, asks no list, and writes no row of a case.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.models import (
    CaseRating,
    PolicyTrial,
    RatingState,
    RiskPolicy,
    TrialChange,
)
from reviews.risk import policies, words
from reviews.risk.engine.inputs import Inputs, InputsError
from reviews.risk.engine.policy import Policy
from reviews.risk.engine.rating import Rating, rate
from reviews.versions import trials
from reviews.versions.trials import Chunk

QUEUE = "reviews.tasks.try_policies"
CHUNK = 200  # ratings of one chunk
Status = PolicyTrial.Status


def begin(policy: RiskPolicy, *, actor: User) -> PolicyTrial:
    """Start a trial of a draft on all rated cases. A worker runs it.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.RISK_POLICY)
    if policy.status != RiskPolicy.Status.DRAFT:
        raise policies.RefusedError(_("Only a draft is tried."))
    try:
        with transaction.atomic():
            trial = PolicyTrial.objects.create(
                policy=policy, against=policies.live(), by=actor, total=_rated().count()
            )
            _record(trial, "policy_tried", actor)
            notify.after_commit(QUEUE)
    except IntegrityError as exc:
        raise policies.RefusedError(_("It is being tried already.")) from exc
    return trial


def _rated() -> QuerySet[RatingState]:
    rows = RatingState.objects.filter(
        rating__isnull=False,
        case__erased_at=None,
    )
    return rows.order_by("case_id")


def advance(trial: PolicyTrial) -> None:
    """The work of the task. Each chunk is counted in the transaction that writes its changes."""
    policy = Policy.from_json(trial.policy.content)
    against = Policy.from_json(trial.against.content)
    trials.run(
        trial,
        next_rows=_rated_after,
        work=lambda states: _chunk(trial, policy, against, states),
        record_end=lambda: _record(trial, "policy_trial_done", None),
    )


def _rated_after(case: int) -> Sequence[RatingState]:
    rows = _rated().filter(case_id__gt=case).select_related("rating__case")
    return list(rows[:CHUNK])


def _chunk(
    trial: PolicyTrial,
    policy: Policy,
    against: Policy,
    states: Sequence[RatingState],
) -> Chunk:
    counts = deepcopy(trial.counts)
    changes = []
    unread = trial.unread
    for state in states:
        assert state.rating is not None  # noqa: S101 - by the query
        rating = by_policy(state.rating, policy)
        if rating is None:
            unread += 1
            continue
        before: CaseRating | Rating = state.rating
        # It does not follow the version in force yet: its batch waits, or it is rated again soon.
        if state.policy_id != trial.against_id:
            before = by_policy(state.rating, against) or state.rating
        row = counts.setdefault(before.band, {})
        row[rating.band] = row.get(rating.band, 0) + 1
        if rating.band != before.band:
            changes.append(_change(trial, state.case_id, before, rating))
    return Chunk({"unread": unread, "counts": counts}, changes)


def by_policy(rating: CaseRating, policy: Policy) -> Rating | None:
    """The rating by another policy from the stored inputs; None if these cannot be read."""
    try:
        return rate(Inputs.from_json(rating.inputs), policy)
    except InputsError:
        return None


def _change(
    trial: PolicyTrial, case: int, before: CaseRating | Rating, after: Rating
) -> TrialChange:
    return TrialChange(
        trial=trial,
        case_id=case,
        band=before.band,
        score=before.score,
        new_band=after.band,
        new_score=after.score,
    )


def newest(policy: RiskPolicy) -> PolicyTrial | None:
    rows = PolicyTrial.objects.filter(policy=policy)
    return rows.select_related("by", "against", "policy").first()


@dataclass(frozen=True)
class Reason:
    """The contribution of a factor by the live version and by the version on trial."""

    title: str
    words: str
    before: int
    after: int


def reasons(
    rating: CaseRating, against: Policy, policy: Policy
) -> tuple[list[Reason], list[str]]:
    """The factors whose contribution differs between the versions, and the overrides that only
    the tried one has.

    Sorted by the size of the difference, the greatest first.
    """
    # Not the stored result: the rating may follow a later version than its own.
    old = by_policy(rating, against)
    after = by_policy(rating, policy)
    if old is None or after is None:
        return [], []
    before = {}
    for contribution in old.contributions:
        before[contribution.factor] = contribution.amount
    rows = []
    for row in after.contributions:
        amount = before.get(row.factor, 0)
        if amount == row.amount:
            continue
        stored = {"factor": row.factor, "label": row.label, "words": row.words}
        # Translated as on the page of the case.
        shown = words.contribution(stored)
        title = words.title(row.factor)
        rows.append(Reason(title, shown["words"], amount, row.amount))
    rows.sort(key=lambda row: -abs(row.after - row.before))
    overrides = [reason for reason in after.overrides if reason not in old.overrides]
    return rows, overrides


def _record(trial: PolicyTrial, what: str, actor: User | None) -> None:
    data: dict[str, object] = {
        "which": str(trial.policy),
        "against": str(trial.against),
        "total": trial.total,
    }
    if trial.status == Status.DONE:
        data |= {"done": trial.done, "counts": trial.counts, "unread": trial.unread}
    trail.record(None, what, data, user=actor)
