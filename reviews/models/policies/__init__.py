"""Models of the decision and screening policies, and the base classes of versions and trials.

The code that uses them contains the rules; the models contain none.
"""

from __future__ import annotations

from reviews.models.policies.decision import (
    ApprovalSwitch,
    AutomaticReview,
    Contradiction,
    DecisionPolicy,
    DecisionTrial,
)
from reviews.models.policies.looks import SecondLook
from reviews.models.policies.screening import HitLabel, LostHit, ScreeningPolicy

__all__ = [
    "ApprovalSwitch",
    "AutomaticReview",
    "Contradiction",
    "DecisionPolicy",
    "DecisionTrial",
    "HitLabel",
    "LostHit",
    "ScreeningPolicy",
    "SecondLook",
]
