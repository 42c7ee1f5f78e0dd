"""Compares the bands of cases with their ratings and overrides, for `audit_verify`.

Ratings and overrides are bound to the trail. The band of a case is a copy of what follows from them,
and cases with a low band may be approved without a look of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Subquery

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
    yield from _other_policy()
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


def _other_policy() -> Iterator[str]:
    """Ratings that follow a version which is not live, although nothing is about to change that.

    The days to the next review are those of the version that a rating follows.
    """
    live = RiskPolicy.objects.filter(status=RiskPolicy.Status.LIVE).first()
    if live is None:
        # The comparison of the versions with their lines names it.
        return
    batches = RatingBatch.objects.filter(
        policy=live,
        first_case__lte=OuterRef("case"),
        last_case__gte=OuterRef("case"),
    )
    waiting = batches.exclude(due_at=None)
    rows = RatingState.objects.filter(due_at=None, case__erased_at=None)
    rows = rows.exclude(policy=live).exclude(policy=None)
    rows = rows.filter(~Exists(waiting)).order_by("case")
    for case in rows.values_list("case", flat=True):
        yield f"reviews_case {case}: its rating follows a policy that is not in force."


def _overrides() -> dict[int, RatingOverride]:
    rows = RatingOverride.objects.filter(status=RatingOverride.Status.STANDING)
    return {row.case_id: row for row in rows.defer("reason")}
