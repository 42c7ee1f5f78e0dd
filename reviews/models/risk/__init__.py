"""Models of risk ratings: policies, ratings of cases, overrides by people, periodic reviews."""

from __future__ import annotations

from reviews.models.risk.batches import RatingBatch
from reviews.models.risk.policies import RiskPolicy
from reviews.models.risk.ratings import Band, CaseRating, RatingOverride, RatingState
from reviews.models.risk.reviews import PeriodicReview
from reviews.models.risk.trials import PolicyTrial, TrialChange

__all__ = [
    "Band",
    "CaseRating",
    "PeriodicReview",
    "PolicyTrial",
    "RatingBatch",
    "RatingOverride",
    "RatingState",
    "RiskPolicy",
    "TrialChange",
]
