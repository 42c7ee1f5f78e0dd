"""The record of a case in words, as its report says them: on the page and in the PDF alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User

from reviews import results
from reviews.findings import recommendations
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CaseEvent, Decision
from reviews.results.kinds import STATE_WORDS

OUTCOMES = {
    "approve": "Approved",
    "reject": "Rejected",
    "request": "Information requested",
    "escalate": "Escalated",
}
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


def facts(case: Case, decided: Sequence[Decision]) -> dict[str, str]:
    """What stands at the top; the newest decision is the first."""
    newest = decided[0] if decided else None
    return {
        "Decision": outcome(newest) if newest else "None yet",
        "Decided by": people(newest) if newest else "-",
        "Reasons": ", ".join(code for code, _ in newest.reasons) if newest else "-",
        "Agent recommended": recommendations.word(case.recommendation) or "nothing",
    }


def agent_reasons(situation: ReviewState) -> list[str]:
    """Why the agent recommended that, and by which requirements."""
    version = situation.case.requirements_version
    judged = [f"Judged by the requirements {version}."] if version else []
    return [*situation.agent_reasons, *judged]


def people(decision: Decision) -> str:
    """Who decided, and who agreed."""
    return ", ".join(name(one) for one in (decision.made_by, decision.second_by) if one)


def reasons(decision: Decision) -> str:
    return "; ".join(f"{code} {label}" for code, label in decision.reasons)


def later(decision: Decision) -> Iterator[str]:
    """What became of it: the second person's word, and why it was reopened."""
    if decision.second_by and decision.second_at:
        said = f": {decision.second_note}" if decision.second_note else "."
        sent = (
            "Sent back by"
            if decision.status == Decision.Status.RETURNED
            else "Agreed by"
        )
        yield f"{sent} {name(decision.second_by)}, {decision.second_at:%Y-%m-%d %H:%M} UTC{said}"
    if decision.reopened_for:
        yield f"Reopened: {decision.reopened_for}"


def word(row: results.Finding) -> str:
    """The state of a finding in a word."""
    if isinstance(row, results.Section):
        return state_word(row.state)
    if isinstance(row, results.Hit):
        return row.how
    return state_word(row.type) if isinstance(row, results.Indicator) else ""


def state_word(state: str) -> str:
    """The state as the pages call it: “Not applicable”, not the word of the wire."""
    return STATE_WORDS.get(state, state.replace("_", " ").lower()).capitalize()


def said(row: results.Finding) -> str:
    words = getattr(row, "description", "") or getattr(row, "analysis", "")
    return f"{row.name}. {words}" if words else row.name


def who(event: CaseEvent) -> str:
    known = {"agent": "The agent", "applicant": "The applicant"}
    return event.by or known.get(event.actor, "The desk")


def what(event: CaseEvent) -> str:
    data = event.data if isinstance(event.data, dict) else {"data": event.data}
    words = {str(k): results.text(v) for k, v in data.items()}
    if words.get("verdict") in STATE_WORDS:
        words["verdict"] = STATE_WORDS[words["verdict"]]
    details = "; ".join(
        f"{results.label(name)}: {value}" for name, value in words.items()
    )
    return results.label(event.what) + (f". {details}" if details else "")
