"""The record of a case in words, as its report says them: on the page and in the PDF alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User

from reviews import results
from reviews.findings import recommendations
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CaseEvent, ChecklistMark, Decision, RiskBand
from reviews.periodic.view import ReviewView
from reviews.procedures import checklists
from reviews.procedures.checklists import Checklist
from reviews.results.kinds import STATE_WORDS
from reviews.risk.view import RatingView

OUTCOMES = {
    "approve": "Approved",
    "reject": "Rejected",
    "request": "Information requested",
    "escalate": "Escalated",
}
# Who acts where no person does; all else is the desk itself.
ACTORS = {"agent": "The agent", "applicant": "The applicant"}
TONES = {
    "pass": "pass",
    "fail": "fail",
    "error": "fail",
    "review": "warn",
    "inconclusive": "warn",
}


def name(user: User) -> str:
    return user.get_full_name() or user.get_username()


def outcome(decision: Decision) -> str:
    words = OUTCOMES[decision.outcome]
    if decision.status == Decision.Status.STANDING:
        return words
    return f"{words}: {decision.get_status_display().lower()}"


def facts(case: Case, decisions: Sequence[Decision]) -> dict[str, str]:
    """What stands at the top; the newest decision is the first."""
    decision, by, codes = "None yet", "-", "-"
    if decisions:
        newest = decisions[0]
        decision, by = outcome(newest), people(newest)
        codes = ", ".join(code for code, _ in newest.reasons)
    return {
        "Decision": decision,
        "Decided by": by,
        "Reasons": codes,
        "Agent recommended": recommendations.word(case.recommendation) or "nothing",
        "Risk": risk(case),
        "Next review": str(case.review_on or "-"),
    }


def risk(case: Case) -> str:
    return str(RiskBand(case.risk_band).label)


def rating(view: RatingView) -> Iterator[str]:
    """What made the rating, one sentence each, and what a person says against it."""
    rated = view.rating
    yield (
        f"Score {rated.score} of 100, {rated.get_band_display().lower()} by policy"
        f" {rated.policy.number}, {rated.at:%Y-%m-%d %H:%M} UTC."
    )
    yield from view.overrides
    if view.unknown:
        yield f"Unknown: {', '.join(view.unknown)}."
    override = view.override
    if override is not None:
        by = name(override.made_by)
        second = f" {name(override.second_by)} agreed." if override.second_by else ""
        yield (
            f"{by} rates it {override.get_band_display().lower()}"
            f" ({override.get_status_display().lower()}): {override.reason}{second}"
        )


def review(view: ReviewView) -> Iterator[str]:
    """Which case it is the periodic review of, when the next one is, and what has changed."""
    waiting = view.waiting
    if waiting and waiting.on:
        reason = waiting.get_reason_display().lower()
        yield f"The next review is due on {waiting.on}: {reason}."
    row = view.of
    if row is None:
        return
    reason = row.get_reason_display().lower()
    yield f"Review of case {row.case.reference}, due on {row.on}: {reason}."
    for change, reference in view.changes:
        where = ""
        if reference:
            where = f", {reference}"
        yield f"{change.on}: {change.words}{where}."
    for label, verdict_then, verdict_now in view.checks:
        then = state_word(verdict_then)
        now = state_word(verdict_now)
        yield f"{label}: {then} then, {now} now."


def checklist(own: Checklist) -> Iterator[tuple[str, str]]:
    """Each item of the checklist, and who ticked it or why it is not needed."""
    for line in own.lines:
        mark = line.mark
        if mark is None:
            yield (
                line.item.label,
                "Open" if line.item.required else "Open, not required",
            )
            continue
        word = "Ticked" if mark.kind == ChecklistMark.Kind.TICKED else "Not needed"
        words = f"{word}: {name(mark.by)}, {mark.at:%Y-%m-%d %H:%M} UTC"
        yield line.item.label, f"{words}. {mark.note}" if mark.note else words


def custom_fields(case: Case, own: Checklist) -> Iterator[tuple[str, str]]:
    """The fields of the procedure with their values, and further columns of the case's file."""
    for value in own.values:
        yield value.spec.label, value.words or "-"
    yield from checklists.extra_of(case).items()


def erasures(case: Case) -> Iterator[str]:
    """That the personal data are gone, by whom and why; mostly nothing."""
    if case.erased_at is None:
        return
    for row in case.erasures.exclude(erased_at=None).select_related("by"):
        by = name(row.by) if row.by else "the rule"
        yield (
            f"Personal data erased {row.erased_at:%Y-%m-%d %H:%M} UTC by {by}: "
            f"{row.rule_name or row.reason}."
        )


def agent_reasons(review_state: ReviewState) -> list[str]:
    """Why the agent recommended that, and by which requirements."""
    reasons = list(review_state.agent_reasons)
    version = review_state.case.requirements_version
    if version:
        reasons.append(f"Judged by the requirements {version}.")
    return reasons


def people(decision: Decision) -> str:
    """Who decided, and who agreed."""
    names = [decision.maker]
    if decision.second_by:
        names.append(name(decision.second_by))
    return ", ".join(names)


def reasons(decision: Decision) -> str:
    return "; ".join(f"{code} {label}" for code, label in decision.reasons)


def later(decision: Decision) -> Iterator[str]:
    """What became of it: the second person's word, and why it was reopened."""
    if decision.second_by and decision.second_at:
        act = "Agreed by"
        if decision.status == Decision.Status.RETURNED:
            act = "Sent back by"
        note = "."
        if decision.second_note:
            note = f": {decision.second_note}"
        at = f"{decision.second_at:%Y-%m-%d %H:%M} UTC"
        yield f"{act} {name(decision.second_by)}, {at}{note}"
    if decision.reopened_for:
        yield f"Reopened: {decision.reopened_for}"


def word(finding: results.Finding) -> str:
    """The state of a finding in a word."""
    if isinstance(finding, results.Section):
        return state_word(finding.state)
    if isinstance(finding, results.Hit):
        return finding.how
    if isinstance(finding, results.Indicator):
        return state_word(finding.type)
    return ""


def state_word(state: str) -> str:
    """The state as the pages call it: “Not applicable”, not the word of the wire."""
    words = STATE_WORDS.get(state)
    if words is None:
        words = state.replace("_", " ").lower()
    return words.capitalize()


def words(finding: results.Finding) -> str:
    """What a finding says: its name, and its description or analysis where it has one."""
    description = getattr(finding, "description", "")
    analysis = getattr(finding, "analysis", "")
    if description or analysis:
        return f"{finding.name}. {description or analysis}"
    return finding.name


def who(event: CaseEvent) -> str:
    if event.by:
        return event.by
    return ACTORS.get(event.actor, "The desk")


def what(event: CaseEvent) -> str:
    data = event.details
    details = []
    for key, value in data.items():
        words = results.text(value)
        if key == "verdict":
            words = STATE_WORDS.get(words, words)
        details.append(f"{results.label(str(key))}: {words}")
    act = results.label(event.what)
    if not details:
        return act
    return f"{act}. {'; '.join(details)}"
