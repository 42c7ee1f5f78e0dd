"""The four-eyes rules and the reasons of decisions: when a second person must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.apps import AppConfig
from django.core.cache import caches
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance.pages.phrases import and_more
from reviews import results
from reviews.decisions.policies import demands
from reviews.findings.recommendations import AGREES, shown
from reviews.findings.review_state import ReviewState
from reviews.models import Case, FourEyesRule, Outcome, ReasonCode
from reviews.results.sentences import in_words
from reviews.results.words import translated

Condition = FourEyesRule.Condition

# The reasons of a new installation: code, label, hint, outcome. Administrators may change them.
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
# The reasons that claim a fact about the case. If the results show otherwise, the reason is
# refused.
CLAIMS = {
    "A01": ReasonCode.Claim.ALL_PASSED,
    "R01": ReasonCode.Claim.DOCUMENT,
    "R02": ReasonCode.Claim.CONTRADICTED,
    "R03": ReasonCode.Claim.MATCH,
    "I02": ReasonCode.Claim.DOCUMENT,
}
# Each row: name, condition, outcome. An empty outcome means that the rule holds for both
# outcomes. The last four ask for a second person if an approval rests on weak evidence, or on
# evidence that one person has dismissed.
RULES = (
    ("Against the recommendation", Condition.AGAINST, ""),
    ("A RISK indicator", Condition.RISKS, ""),
    ("High risk of fraud", Condition.HIGH_RISK, ""),
    ("A check was overridden or did not pass", Condition.OVERRIDDEN, Outcome.APPROVE),
    ("Approve was not recommended", Condition.UNSUPPORTED, Outcome.APPROVE),
    ("The agent says what is missing", Condition.REASONS, Outcome.APPROVE),
    ("Nothing was examined", Condition.UNEXAMINED, Outcome.APPROVE),
)
# The verdicts that do not speak against the attested data.
AGREEING = ("pass", "not_applicable")
MOST_NAMES = 3  # checks or reasons that one sentence names
CACHE_SECONDS = 5  # seconds for which pages may show old rules


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Create the first reasons and rules of a new installation. Connected to post_migrate."""
    if not ReasonCode.objects.exists():
        for code, label, hint, outcome in REASONS:
            claim = CLAIMS.get(code, "")
            ReasonCode.objects.create(
                code=code, label=label, hint=hint, outcome=outcome, claim=claim
            )
    if not FourEyesRule.objects.exists():
        for name, condition, rule_outcome in RULES:
            FourEyesRule.objects.create(
                name=name, condition=condition, outcome=rule_outcome
            )


def reasons_for_second_person(
    case: Case,
    state: ReviewState,
    outcome: str,
    rules: Sequence[FourEyesRule] | None = None,
) -> list[str]:
    """Why a second person must agree to this outcome, as sentences; empty: nobody must.

    One rule that holds is enough; the decision policy is enough, too.

    If `rules` is missing, rules and policy are read from the database. A page that only shows
    the reasons may pass `cached_rules()`; the policy then comes from the cache, too.
    """
    if rules is None:
        rules = _read_rules()
        needs = demands.on(case)
    else:
        needs = demands.shown(case)
    by_rules = reasons_by_rules(case, state, outcome, rules)
    return demands.reasons_for_second_person(outcome, needs) + by_rules


def reasons_by_rules(
    case: Case,
    state: ReviewState,
    outcome: str,
    rules: Sequence[FourEyesRule] | None = None,
) -> list[str]:
    """The four-eyes rules that ask for a second person, as sentences, without the policy."""
    if rules is None:
        rules = _read_rules()
    reasons: list[str] = []
    for rule in rules:
        is_of_agent = rule.agent_id in {None, case.agent_id}
        is_of_outcome = rule.outcome in {"", outcome}
        if not is_of_agent or not is_of_outcome:
            continue
        reason = _CONDITIONS[Condition(rule.condition)](rule, state, outcome)
        if reason and reason not in reasons:
            reasons.append(reason)
    return reasons


def contradiction(reason: ReasonCode, state: ReviewState) -> str:
    """The fact about the case that contradicts the claim of the reason, in words, or "".

    A failed check counts as failed even if somebody reviewed it.
    """
    find = _CONTRADICTIONS.get(reason.claim)
    return find(state) if find else ""


def is_evident(reason: ReasonCode, state: ReviewState) -> bool:
    """Whether the case is clean, and the reason says just that: all checks have passed, and the
    agent recommends to approve.
    """
    if reason.claim != ReasonCode.Claim.ALL_PASSED or state.is_running:
        return False
    recommendation = state.case.recommendation.strip().lower()
    if recommendation not in AGREES[Outcome.APPROVE]:
        return False
    return not contradiction(reason, state)


def _contradicts_all_passed(state: ReviewState) -> str:
    labels = []
    for check in (*state.failed, *state.doubtful):
        labels.append(translated(check.label))
    if labels:
        return _("not passed: %(names)s") % {"names": ", ".join(labels)}
    if not state.passed:
        return _("no check has passed")
    return ""


def _contradicts_document(state: ReviewState) -> str:
    if state.documents:
        return ""
    return _("the case has no document")


def _contradicts_match(state: ReviewState) -> str:
    # A match is contradicted if there are sanctions checks and all of them passed.
    labels = []
    for check in state.checks:
        if not results.is_sanctions(check.label):
            continue
        if check.verdict != "pass":
            return ""
        labels.append(translated(check.label))
    if not labels:
        return ""
    return _("passed: %(names)s") % {"names": ", ".join(labels)}


def _contradicts_contradicted(state: ReviewState) -> str:
    # Contradicted if every check agrees with the data and nobody has overridden one.
    if not state.checks or state.overridden:
        return ""
    for check in state.checks:
        if check.verdict not in AGREEING:
            return ""
    return _(
        "every check that applies has passed; override the one that is wrong first"
    )


# The function that finds a contradiction, by the claim. A claim without an entry is never
# contradicted.
_CONTRADICTIONS: dict[str, Callable[[ReviewState], str]] = {
    ReasonCode.Claim.ALL_PASSED: _contradicts_all_passed,
    ReasonCode.Claim.DOCUMENT: _contradicts_document,
    ReasonCode.Claim.MATCH: _contradicts_match,
    ReasonCode.Claim.CONTRADICTED: _contradicts_contradicted,
}


def cached_rules() -> list[FourEyesRule]:
    """The rules as they were at most CACHE_SECONDS ago."""
    return caches["memory"].get_or_set("policy.rules", _read_rules, CACHE_SECONDS) or []


def _read_rules() -> list[FourEyesRule]:
    return list(FourEyesRule.objects.filter(is_active=True))


# The conditions. Each returns why its rule asks for a second person, in words, or "" if it does
# not.


def _always(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    return rule.name


def _against(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    """The agent recommended the opposite outcome.

    A recommendation to review is not against either outcome; `_unsupported` covers it.
    """
    recommendation = state.case.recommendation.strip().lower()
    for other, words in AGREES.items():
        if other != outcome and recommendation in words:
            return _recommendation(state)
    return ""


def _unsupported(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    """The reason that the agent did not recommend this outcome; none if it did."""
    recommendation = state.case.recommendation.strip().lower()
    if recommendation in AGREES[Outcome(outcome)]:
        return ""
    return _recommendation(state)


def _agent_reasons(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    """The reason that the agent added reasons to its recommendation; none if it added none."""
    reasons = state.case.recommendation_reasons
    if not reasons:
        return ""
    words = [in_words(reason) for reason in reasons]
    return _("The agent says: %(reasons)s") % {"reasons": _first_names(words, " ")}


def _unexamined(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    if state.has_examined:
        return ""
    return _("No document and no list was examined")


def _risks(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    count = state.risks
    if count < rule.threshold:
        return ""
    sentence = ngettext(
        "%(count)d RISK indicator found", "%(count)d RISK indicators found", count
    )
    return sentence % {"count": count}


def _high_risk(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    if not state.is_high_risk:
        return ""
    return _("A document is of high risk")


def _overridden(rule: FourEyesRule, state: ReviewState, outcome: str) -> str:
    """A check was overridden, or the case is approved although a check did not pass."""
    sentences = []
    overridden = [translated(check.label) for check in state.overridden]
    if overridden:
        sentences.append(
            _("Overridden: %(names)s") % {"names": _first_names(overridden)}
        )
    not_passed = [translated(check.label) for check in state.not_passed]
    if not_passed and outcome == Outcome.APPROVE:
        sentences.append(
            _("Not passed: %(names)s") % {"names": _first_names(not_passed)}
        )
    return ". ".join(sentences)


_CONDITIONS: dict[
    FourEyesRule.Condition, Callable[[FourEyesRule, ReviewState, str], str]
] = {
    Condition.ALWAYS: _always,
    Condition.AGAINST: _against,
    Condition.UNSUPPORTED: _unsupported,
    Condition.REASONS: _agent_reasons,
    Condition.UNEXAMINED: _unexamined,
    Condition.RISKS: _risks,
    Condition.HIGH_RISK: _high_risk,
    Condition.OVERRIDDEN: _overridden,
}


def _recommendation(state: ReviewState) -> str:
    words = shown(state.case.recommendation)
    if not words:
        return _("The agent recommends: nothing")
    return _("The agent recommends: %(recommendation)s") % {"recommendation": words}


def _first_names(names: Sequence[str], between: str = ", ") -> str:
    text = between.join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return and_more(text, more)
