"""The tables of ratings: policies, the ratings of cases, and what people say against a rating."""

from __future__ import annotations

from reviews.models.risk.policies import RiskPolicy
from reviews.models.risk.ratings import Band, CaseRating, RatingOverride, RatingState

__all__ = ["Band", "CaseRating", "RatingOverride", "RatingState", "RiskPolicy"]
