"""The draft of a rationale, made from what was found and from how people settled it."""

from __future__ import annotations

from collections.abc import Sequence

from compliance.languages import english
from reviews import results
from reviews.findings.recommendation_sentence import passed_in_words, words_of
from reviews.findings.review_state import ReviewState
from reviews.models import CheckReview, Dismissal, Outcome

MOST_LINES = 20


@english()
def draft(state: ReviewState, outcome: str) -> str:
    """Lines for the analyst to edit. Nothing is in them that the case does not show.

    In English, as all that is stored. A request for information has no draft: what is missing is the analyst's to say.
    """
    if outcome == Outcome.REQUEST:
        return ""
    lines = _lines_of_checks(state)
    lines += _lines_of_dismissals(state)
    if outcome == Outcome.APPROVE and state.passed:
        words = passed_in_words(state)
        lines.append(f"{words.capitalize()}.")
    more = len(lines) - MOST_LINES
    if more > 0:
        lines = lines[:MOST_LINES]
        lines.append(f"And {more} more.")
    return "\n".join(lines)


def _lines_of_checks(state: ReviewState) -> list[str]:
    """One line for each check that asked for a person, the worst first."""
    lines = []
    for check in results.open_checks(state.checks):
        review = state.reviews.get(check.id)
        lines.append(f"{words_of(check)}{_settled(review)}")
    return lines


def _settled(review: CheckReview | None) -> str:
    if review is None:
        return ""
    if review.kind == CheckReview.Kind.OVERRIDDEN:
        return f" (overridden: {review.reason})"
    return " (reviewed)"


def _lines_of_dismissals(state: ReviewState) -> list[str]:
    lines = []
    for dismissal, names in _dismissals(state):
        findings = ", ".join(names)
        lines.append(f"Dismissed: {findings}: {dismissal.reason}")
    return lines


def _dismissals(state: ReviewState) -> Sequence[tuple[Dismissal, list[str]]]:
    """Each dismissal that is in force here, with the names of its findings."""
    by_pk: dict[int, tuple[Dismissal, list[str]]] = {}
    for part in state.parts:
        for finding in part.findings:
            dismissal = state.dismissed.get(finding)
            if dismissal is None:
                continue
            _, names = by_pk.setdefault(dismissal.pk, (dismissal, []))
            if finding.name and finding.name not in names:
                names.append(finding.name)
    return list(by_pk.values())
