"""Reads the inputs of a rating from a case: attested data, results of checks, decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from reviews import results
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckReview, Kind, ReasonCode
from reviews.parties.sanctioned import rejections
from reviews.risk import attested
from reviews.risk.engine.inputs import LONGEST, Inputs, Value
from reviews.risk.ownership import factor

# The topics of lists, each of which is a factor.
TOPICS = ("sanctions", "pep", "adverse")
# Labels in order of risk, the lowest first. "unknown" ranks low: it is used only if nothing
# worse is known.
_SCREENING = ("none", "unknown", "cleared", "possible", "strong", "confirmed")
_WITHOUT_RESULT = ("inconclusive", "error", "running", "unknown")
_CHECKS = ("passed", "unsure", "review", "failed")
_PEP_WORDS = ("pep", "politic", "exposed")
INCORPORATED = "Incorporation date"


@dataclass(frozen=True)
class Reading:
    """The inputs of a case, and the next day on which they may change by themselves."""

    inputs: Inputs
    changes_on: date | None = None


def inputs_of(case: Case) -> Reading:
    """The inputs of the case as it is now.

    Never raises, whatever a service or an applicant sent.
    """
    state = ReviewState.of(case)
    reasons = rejections.claims(case)
    values = {
        "geography": attested.geography(case),
        "product": attested.product(case),
        "channel": attested.channel(case),
        "documents": _documents(state, reasons),
        "checks": _checks(state),
    }
    for topic in TOPICS:
        values[topic] = _screening(state, topic)
    # A standing rejection for a match is stronger evidence than the results.
    if ReasonCode.Claim.MATCH in reasons:
        source = f"rejected: {reasons[ReasonCode.Claim.MATCH]}"
        values["sanctions"] = _one("confirmed", source)
    if case.kind != Kind.KYB:
        return Reading(Inputs(values))
    values["structure"] = attested.structure(case)
    values["age"] = attested.age(case, _verified(state, INCORPORATED))
    owners, changes_on = factor.value(case, state)
    if owners is not None:
        values["ownership"] = owners
    return Reading(Inputs(values), changes_on)


def _one(label: str, source: str = "") -> Value:
    if label == "unknown":
        return Value([])
    return Value([label], {label: source[:LONGEST]} if source else {})


def _verified(state: ReviewState, name: str) -> str:
    for check in state.checks:
        for label, value in check.verified:
            if label == name:
                return value
    return ""


def topic_of(words: str) -> str:
    """The topic of a list by its words: "sanctions", "pep", "adverse"; "" without words."""
    plain = words.casefold()
    if results.is_sanctions(plain):
        return "sanctions"
    if any(word in plain for word in _PEP_WORDS):
        return "pep"
    return "adverse" if plain else ""


def _screening(state: ReviewState, topic: str) -> Value:
    """The worst result of the checks on this topic; unknown if there is none."""
    sources: dict[str, str] = {}
    for check in state.checks:
        for label, source in _of_check(state, check, topic):
            sources.setdefault(label, source)
    if not sources:
        return Value([])
    worst = max(sources, key=_SCREENING.index)
    return _one(worst, sources[worst])


def _of_check(
    state: ReviewState, check: results.Check, topic: str
) -> Iterator[tuple[str, str]]:
    has_hits_to_read = False
    for part in check.parts:
        if not isinstance(part.view, results.Screening):
            continue
        has_hits_to_read = True
        for subject in part.view.subjects:
            if (topic_of(subject.what) or topic_of(check.label)) != topic:
                continue
            verdict = subject.verdict or part.verdict
            # A part without a verdict has the verdict of its check.
            if verdict == "unknown":
                verdict = check.verdict
            yield _of_hits(state, check, subject.rows, verdict)
    if has_hits_to_read or check.group != "Screening":
        return
    if topic_of(check.label) == topic:
        yield _of_verdict(state, check)


def _of_hits(
    state: ReviewState,
    check: results.Check,
    hits: Sequence[results.Hit],
    verdict: str,
) -> tuple[str, str]:
    against = [hit for hit in hits if hit.is_against]
    confirmed = [hit for hit in hits if hit in state.confirmed]
    if confirmed:
        return "confirmed", f"{check.label}: {confirmed[0].name}"
    # A hit below the threshold needs no review, but nobody has cleared it either.
    still_open = [hit for hit in against if state.dismissed.get(hit) is None]
    if still_open:
        strong = [hit for hit in still_open if hit.tone == "fail"]
        label = "strong" if strong else "possible"
        source = f"{check.label}: {(strong or still_open)[0].name}"
        return state.label_after_reviews(check, label), source
    if against:
        return "cleared", f"{check.label}: {against[0].name}"
    if verdict in _WITHOUT_RESULT:
        return "unknown", check.label
    return "none", check.label


def _of_verdict(state: ReviewState, check: results.Check) -> tuple[str, str]:
    """The label of a check whose service sends no readable hits, from its verdict."""
    labels = {"fail": "strong", "review": "possible", "pass": "none"}
    label = labels.get(check.verdict, "unknown")
    if label in {"strong", "possible"}:
        label = state.label_after_reviews(check, label)
    return label, check.label


def _documents(state: ReviewState, claims: dict[str, str]) -> Value:
    if ReasonCode.Claim.DOCUMENT in claims:
        return _one("forged", f"rejected: {claims[ReasonCode.Claim.DOCUMENT]}")
    checks = [check for check in state.checks if check.group == "Documents"]
    if not state.documents or not checks:
        return Value([])
    if state.is_high_risk:
        return _one("high_risk")
    if state.risks:
        plural = "" if state.risks == 1 else "s"
        return _one("risk", f"{state.risks} RISK indicator{plural}")
    for check in checks:
        if check.verdict == "running":
            return Value([])
        if check.verdict in _WITHOUT_RESULT and check in state.open:
            return _one("unsure", check.label)
    return _one("clean")


def _checks(state: ReviewState) -> Value:
    """The worst of the checks that are no screenings, after the reviews of people."""
    sources: dict[str, str] = {}
    for check in state.checks:
        if check.group == "Screening" or check.verdict == "not_applicable":
            continue
        # While a check runs, the factor is unknown.
        if check.verdict == "running":
            return Value([])
        sources.setdefault(_label_of_check(state, check), check.label)
    if not sources:
        return Value([])
    worst = max(sources, key=_CHECKS.index)
    return _one(worst, "" if worst == "passed" else sources[worst])


def _label_of_check(state: ReviewState, check: results.Check) -> str:
    if check.verdict == "fail":
        review = state.reviews.get(check.id)
        is_overridden = review and review.kind == CheckReview.Kind.OVERRIDDEN
        is_dismissed = review is None and check not in state.open
        return "passed" if is_overridden or is_dismissed else "failed"
    if check not in state.open:
        return "passed"
    return "review" if check.verdict == "review" else "unsure"
