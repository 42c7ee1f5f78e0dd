"""Tables of policies of decisions, and what all versions and what-ifs have in common.

Rooms call them; they hold no rules.
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
