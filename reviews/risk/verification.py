"""Compares the bands of cases with their ratings and overrides, for `audit_verify`.

Ratings and overrides are bound to the trail. The band of a case is a copy of what follows from them,
and cases with a low band may be approved without a look of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, OuterRef, Subquery

from reviews.models import Case, CaseRating, RatingOverride, RiskBand
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
        if row["newest"] and state != (row["newest"], band, row["score"]):
            yield f"reviews_case {pk}: the state of its rating is not that of the newest."


def _overrides() -> dict[int, RatingOverride]:
    rows = RatingOverride.objects.filter(status=RatingOverride.Status.STANDING)
    return {row.case_id: row for row in rows.defer("reason")}
