"""The rules of decisions: which reasons there are, and when a second person must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.cache import caches

from reviews import results
from reviews.findings.recommendations import AGREES, word
from reviews.findings.review_state import ReviewState
from reviews.models import Case, FourEyesRule, Outcome, ReasonCode

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
# Those that say something of the case which it can contradict.
CLAIMS = {
    "A01": ReasonCode.Claim.ALL_PASSED,
    "R01": ReasonCode.Claim.DOCUMENT,
    "R02": ReasonCode.Claim.CONTRADICTED,
    "R03": ReasonCode.Claim.MATCH,
    "I02": ReasonCode.Claim.DOCUMENT,
}
# Of each: name, condition, outcome ("" is both). The last four ask for a second person where an
# approval rests on thin evidence, or on evidence that one person has set aside.
RULES = (
    ("Against the recommendation", Condition.AGAINST, ""),
    ("A RISK indicator", Condition.RISKS, ""),
    ("High risk of fraud", Condition.HIGH_RISK, ""),
    ("A check was overridden or did not pass", Condition.OVERRIDDEN, Outcome.APPROVE),
    ("Approve was not recommended", Condition.UNSUPPORTED, Outcome.APPROVE),
    ("The agent says what is missing", Condition.REASONS, Outcome.APPROVE),
    ("Nothing was examined", Condition.UNEXAMINED, Outcome.APPROVE),
)
# What a check says that found nothing against the attested data.
AGREEING = ("pass", "not_applicable")
MOST_NAMED = 3  # checks or reasons in one sentence
KEPT = 5  # seconds that a page remembers the rules


def ensure(sender: AppConfig | None = None, **_: Any) -> None:
    """Give an installation that has none its first lists. Connected to post_migrate."""
    if not ReasonCode.objects.exists():
        ReasonCode.objects.bulk_create(
            ReasonCode(
                code=code, label=label, hint=hint, outcome=outcome, claim=CLAIMS.get(code, "")
            )
            for code, label, hint, outcome in REASONS
        )
    if not FourEyesRule.objects.exists():
        FourEyesRule.objects.bulk_create(
            FourEyesRule(name=name, condition=condition, outcome=outcome)
            for name, condition, outcome in RULES
        )


def why_two(
    case: Case, situation: ReviewState, outcome: str, rules: Sequence[FourEyesRule] | None = None
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


def contradiction(reason: ReasonCode, situation: ReviewState) -> str:
    """What of the case contradicts what the reason says of it, in words, or "".

    A check that failed stays one that failed, whoever looked at it.
    """
    if reason.claim == ReasonCode.Claim.ALL_PASSED:
        against = [check.label for check in (*situation.failed, *situation.doubtful)]
        if against:
            return f"not passed: {', '.join(against)}"
        return "" if situation.passed else "no check has passed"
    if reason.claim == ReasonCode.Claim.DOCUMENT:
        return "" if situation.documents else "the case has no document"
    if reason.claim == ReasonCode.Claim.MATCH:
        compared = [check for check in situation.checks if results.is_sanctions(check.label)]
        if compared and all(check.verdict == "pass" for check in compared):
            return f"passed: {', '.join(check.label for check in compared)}"
    if reason.claim == ReasonCode.Claim.CONTRADICTED:
        nothing_against = all(check.verdict in AGREEING for check in situation.checks)
        if situation.checks and nothing_against and not situation.overridden:
            return "every check that applies has passed; override the one that is wrong first"
    return ""


def remembered() -> list[FourEyesRule]:
    """The rules as they stood at most KEPT seconds ago."""
    return caches["memory"].get_or_set("policy.rules", _rules, KEPT) or []


def _rules() -> list[FourEyesRule]:
    return list(FourEyesRule.objects.filter(is_active=True))


def _holds(rule: FourEyesRule, case: Case, situation: ReviewState, outcome: str) -> str:
    """What makes the rule hold, in words, or ""."""
    said = case.recommendation
    recommends = f"The agent recommends: {word(said) or 'nothing'}"
    others = set().union(*(words for o, words in AGREES.items() if o != outcome))
    risks = situation.risks
    held = {
        Condition.ALWAYS: (True, rule.name),
        # To recommend a review is against neither outcome; UNSUPPORTED says that it is for neither.
        Condition.AGAINST: (said.strip().lower() in others, recommends),
        Condition.UNSUPPORTED: (said.strip().lower() not in AGREES[Outcome(outcome)], recommends),
        Condition.REASONS: (
            bool(case.recommendation_reasons),
            f"The agent says: {_listed(case.recommendation_reasons, ' ')}",
        ),
        Condition.UNEXAMINED: (
            not situation.has_examined,
            "No document and no list was examined",
        ),
        Condition.RISKS: (
            risks >= rule.threshold,
            f"{risks} RISK indicator{'s' if risks != 1 else ''} found",
        ),
        Condition.HIGH_RISK: (situation.is_high_risk, "A document is of high risk"),
        Condition.OVERRIDDEN: _set_aside(situation, outcome),
    }
    holds, words = held[Condition(rule.condition)]
    return words if holds else ""


def _set_aside(situation: ReviewState, outcome: str) -> tuple[bool, str]:
    """Whether a check was overridden, or is approved past although it did not pass."""
    overridden = [check.label for check in situation.overridden]
    failed = [check.label for check in situation.not_passed] if outcome == Outcome.APPROVE else []
    words = [f"Overridden: {_listed(overridden)}"] if overridden else []
    words += [f"Not passed: {_listed(failed)}"] if failed else []
    return bool(words), ". ".join(words)


def _listed(names: Sequence[str], between: str = ", ") -> str:
    left = len(names) - MOST_NAMED
    more = f" and {left} more" if left > 0 else ""
    return between.join(names[:MOST_NAMED]) + more
