"""The rules of decisions: which reasons there are, and when a second person must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.cache import caches

from reviews.models import Case, FourEyesRule, Outcome, ReasonCode
from reviews.situation import Situation

Condition = FourEyesRule.Condition

# What a new installation starts with; administrators change both lists.
REASONS = (
    ("A01", "All checks passed", "", Outcome.APPROVE),
    ("A02", "Explained by a third party", "registered agent, bank", Outcome.APPROVE),
    ("A03", "Immaterial difference", "spelling, date ±1 day", Outcome.APPROVE),
    ("A04", "Covered by enhanced monitoring", "90 days", Outcome.APPROVE),
    ("R01", "Document forged or altered", "", Outcome.REJECT),
    ("R02", "Attested data contradicted", "", Outcome.REJECT),
    ("R03", "Sanctions or watchlist match", "", Outcome.REJECT),
    ("R04", "Outside of our risk appetite", "", Outcome.REJECT),
    ("I01", "Document missing", "", Outcome.REQUEST),
    ("I02", "Document illegible or incomplete", "", Outcome.REQUEST),
    ("I03", "Difference to be explained", "", Outcome.REQUEST),
    ("E01", "Needs a senior reviewer", "", Outcome.ESCALATE),
    ("E02", "Possible reportable activity", "", Outcome.ESCALATE),
)
RULES = (
    ("Against the recommendation", Condition.AGAINST, 1),
    ("A RISK indicator", Condition.RISKS, 1),
    ("High risk of fraud", Condition.HIGH_RISK, 1),
)
KEPT = 5  # seconds that a page remembers the rules
# What the agent's words recommend; a decision that says otherwise goes against them.
AGREES = {
    Outcome.APPROVE: {"approve", "approved"},
    Outcome.REJECT: {"deny", "denied", "reject", "rejected"},
}


def ensure(sender: AppConfig | None = None, **_: Any) -> None:
    """Give an installation that has none its first lists. Connected to post_migrate."""
    if not ReasonCode.objects.exists():
        ReasonCode.objects.bulk_create(
            ReasonCode(code=code, label=label, hint=hint, outcome=outcome)
            for code, label, hint, outcome in REASONS
        )
    if not FourEyesRule.objects.exists():
        FourEyesRule.objects.bulk_create(
            FourEyesRule(name=name, condition=condition, threshold=threshold)
            for name, condition, threshold in RULES
        )


def why_two(
    case: Case, situation: Situation, outcome: str, rules: Sequence[FourEyesRule] | None = None
) -> list[str]:
    """Why a second person must agree to this outcome, in words; empty where one is enough.

    By the rules as they stand now; a page that only shows it may pass those that are remembered.
    """
    fit = [
        rule
        for rule in (_rules() if rules is None else rules)
        if rule.agent_id in {None, case.agent_id} and rule.outcome in {"", outcome}
    ]
    found = (_holds(rule, case, situation, outcome) for rule in fit)
    return list(dict.fromkeys(words for words in found if words))


def remembered() -> list[FourEyesRule]:
    """The rules as they stood at most KEPT seconds ago."""
    return caches["memory"].get_or_set("policy.rules", _rules, KEPT) or []


def _rules() -> list[FourEyesRule]:
    return list(FourEyesRule.objects.filter(is_active=True))


def _holds(rule: FourEyesRule, case: Case, situation: Situation, outcome: str) -> str:
    """What makes the rule hold, in words, or "". A recommendation to review binds nobody."""
    said = case.recommendation
    others = set().union(*(words for o, words in AGREES.items() if o != outcome))
    risks = situation.risks
    held = {
        Condition.ALWAYS: (True, rule.name),
        Condition.AGAINST: (said.strip().lower() in others, f"The agent recommends: {said}"),
        Condition.RISKS: (
            risks >= rule.threshold,
            f"{risks} RISK indicator{'s' if risks != 1 else ''} found",
        ),
        Condition.HIGH_RISK: (situation.is_high_risk, "A document is of high risk"),
        Condition.OVERRIDDEN: (situation.has_overridden, "A failed check was overridden"),
    }
    holds, words = held[Condition(rule.condition)]
    return words if holds else ""
