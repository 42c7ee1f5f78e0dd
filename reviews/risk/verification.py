"""Compares the bands of cases with their ratings and overrides, for `audit_verify`.

Ratings and overrides are bound to the trail. The band of a case is a copy of what follows from them,
and cases with a low band may be approved without a look of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from compliance.security.data_keys import DataKeyError
from reviews.models import (
    Case,
    CaseRating,
    RatingBatch,
    RatingOverride,
    RatingState,
    RiskBand,
    RiskPolicy,
)
from reviews.risk import overrides
from reviews.risk.engine.inputs import READING, Inputs, InputsError
from reviews.risk.engine.policy import Policy, PolicyError
from reviews.risk.engine.rating import rate
from reviews.risk.ratings import is_same


def faults() -> Iterator[str]:
    """Cases whose band, or the state of their rating, does not follow. Erased ones are left out."""
    ratings = CaseRating.objects.filter(case=OuterRef("pk")).order_by("-pk")
    cases = Case.objects.filter(erased_at=None).order_by("pk")
    cases = cases.annotate(
        newest=Subquery(ratings.values("pk")[:1]),
        rated=Subquery(ratings.values("band")[:1]),
        score=Subquery(ratings.values("score")[:1]),
        state_rating=F("risk_rating__rating"),
        state_band=F("risk_rating__band"),
        state_score=F("risk_rating__score"),
    )
    in_force = _overrides()
    live = RiskPolicy.objects.filter(status=RiskPolicy.Status.LIVE).first()
    # Without one, the comparison of the versions with their lines names it.
    if live is not None:
        yield from _other_policy(live)
        yield from _other_results(live)
    columns = ("pk", "risk_band", "newest", "rated", "score")
    states = ("state_rating", "state_band", "state_score")
    for row in cases.values(*columns, *states).iterator(chunk_size=2000):
        pk = row["pk"]
        band = ""
        if row["newest"]:
            rating = CaseRating(band=row["rated"])
            band = overrides.effective_band(rating, in_force.get(pk))
        if row["risk_band"] != RiskBand.of(band):
            yield f"reviews_case {pk}: its risk is not that of its rating."
        state = (row["state_rating"], row["state_band"] or "", row["state_score"])
        newest = (row["newest"], band, row["score"])
        if row["newest"] and state != newest:
            yield f"reviews_case {pk}: the state of its rating is not that of the newest."


def _other_policy(live: RiskPolicy) -> Iterator[str]:
    """Ratings that follow a version which is not live, although nothing is about to change that.

    The days to the next review are those of the version that a rating follows.
    """
    rows = _settled(live).exclude(policy=live)
    for case in rows.values_list("case", flat=True):
        yield f"reviews_case {case}: its rating follows a policy that is not in force."


def _other_results(live: RiskPolicy) -> Iterator[str]:
    """Ratings that are not what the live version makes of their inputs.

    Inputs and versions are bound. Whoever writes that a rating follows the live version already keeps
    the batch of the version from the case.
    """
    try:
        policy = Policy.from_json(live.content)
    except PolicyError:
        # The comparison of the policy with its line names it.
        return
    rows = _settled(live).select_related("rating").defer("rating__result")
    for state in rows.iterator(chunk_size=500):
        assert state.rating is not None  # noqa: S101 - by the query
        if not _follows(state.rating, policy):
            yield f"reviews_case {state.case_id}: its rating is not that of the policy in force."


def _follows(rating: CaseRating, policy: Policy) -> bool:
    try:
        inputs = Inputs.from_json(rating.inputs)
    except (DataKeyError, InputsError):
        # The comparison of the rating with its line names it.
        return True
    # Another version of the code read these inputs.
    return inputs.reading != READING or is_same(rating, rate(inputs, policy))


def _settled(live: RiskPolicy) -> QuerySet[RatingState]:
    """The cases with a rating that nothing is about to change."""
    batches = RatingBatch.objects.filter(
        policy=live,
        first_case__lte=OuterRef("case"),
        last_case__gte=OuterRef("case"),
    )
    waiting = batches.exclude(due_at=None)
    rows = RatingState.objects.filter(
        due_at=None, case__erased_at=None, rating__isnull=False
    )
    return rows.filter(~Exists(waiting)).order_by("case_id")


def _overrides() -> dict[int, RatingOverride]:
    rows = RatingOverride.objects.filter(status=RatingOverride.Status.STANDING)
    return {row.case_id: row for row in rows.defer("reason")}
