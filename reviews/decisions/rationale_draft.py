"""The draft of a rationale, made from the findings and from how people resolved them."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from reviews import results
from reviews.findings.recommendation_sentence import passed_in_words, words_of
from reviews.findings.review_state import ReviewState
from reviews.models import CheckReview, Dismissal, Outcome
from reviews.results.sentences import in_words

MOST_LINES = 20


def draft(state: ReviewState, outcome: str) -> str:
    """Lines for the analyst to edit. They contain only what the case shows.

    In the language of the analyst, who signs them. A request for information has no draft: only
    the analyst knows what is missing.
    """
    if outcome == Outcome.REQUEST:
        return ""
    lines = _lines_of_checks(state)
    lines += _lines_of_dismissals(state)
    if outcome == Outcome.APPROVE and state.passed:
        lines.append(f"{passed_in_words(state)}.")
    more = len(lines) - MOST_LINES
    if more > 0:
        lines = lines[:MOST_LINES]
        lines.append(_("And %(count)d more.") % {"count": more})
    return "\n".join(lines)


def _lines_of_checks(state: ReviewState) -> list[str]:
    """One line for each check that asked for a person, the most serious first."""
    lines = []
    for check in results.open_checks(state.checks):
        review = state.reviews.get(check.id)
        lines.append(f"{words_of(check)}{_settled(review)}")
    return lines


def _settled(review: CheckReview | None) -> str:
    # How a person resolved the check, as an addition to its line.
    if review is None:
        return ""
    if review.kind == CheckReview.Kind.OVERRIDDEN:
        return " " + _("(overridden: %(reason)s)") % {"reason": review.reason}
    return " " + _("(reviewed)")


def _lines_of_dismissals(state: ReviewState) -> list[str]:
    lines = []
    for dismissal, names in _dismissals(state):
        words = {"findings": ", ".join(names), "reason": dismissal.reason}
        lines.append(_("Dismissed: %(findings)s: %(reason)s") % words)
    return lines


def _dismissals(state: ReviewState) -> Sequence[tuple[Dismissal, list[str]]]:
    """Each dismissal that applies to this case, with the names of its findings."""
    by_pk: dict[int, tuple[Dismissal, list[str]]] = {}
    for part in state.parts:
        for finding in part.findings:
            dismissal = state.dismissed.get(finding)
            if dismissal is None:
                continue
            # One dismissal may cover several findings. The line names each of them once.
            _, names = by_pk.setdefault(dismissal.pk, (dismissal, []))
            name = in_words(finding.name)
            if name and name not in names:
                names.append(name)
    return list(by_pk.values())
