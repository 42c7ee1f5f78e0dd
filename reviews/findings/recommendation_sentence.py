"""One sentence with the recommendation of the agent and its reason, from the worst finding."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews import results
from reviews.findings.recommendations import AGREES, shown
from reviews.findings.review_state import ReviewState
from reviews.models import Job, Outcome
from reviews.results.sentences import in_words, labelled
from reviews.results.words import translated

LONGEST = 240  # characters of the sentence
UNDECIDED = ("running", "unknown")


def sentence(state: ReviewState) -> str:
    """The first sentence on the page of a case; "" if the case is erased or has no job."""
    if state.case.erased_at or state.job is None:
        return ""
    reason = worst_reason(state)
    if state.is_running:
        return _of_running(state, reason)
    recommendation = shown(state.case.recommendation)
    if not recommendation:
        return _without_recommendation(state, reason)
    # Not an approval: the reason is the worst finding, else the agent's own.
    if state.case.recommendation.strip().lower() not in AGREES[Outcome.APPROVE]:
        reason = reason or _reason_of_agent(state) or _("the agent gives no reason.")
        return _shortened(labelled(recommendation, reason))
    if reason:
        return _shortened(
            _("%(recommendation)s, although this stands against it: %(reason)s")
            % {"recommendation": recommendation, "reason": reason}
        )
    if not state.passed:
        return _(
            "%(recommendation)s: nothing speaks against the case, but no check passed."
        ) % {"recommendation": recommendation}
    return _(
        "%(recommendation)s: %(checks_passed)s, nothing speaks against the case."
    ) % {"recommendation": recommendation, "checks_passed": passed_in_words(state)}


def worst_reason(state: ReviewState) -> str:
    """The words of the worst check that needs a person, or ""."""
    open_checks = results.open_checks(state.checks)
    if open_checks:
        return words_of(open_checks[0])
    return ""


def words_of(check: results.Check) -> str:
    """The label of a check with its own words; if it has none, with its worst finding."""
    has_words = check.error or check.explanation or check.alerts
    if has_words or not check.against:
        return results.headline(check)
    return labelled(translated(check.label), in_words(check.against[0].name))


def passed_in_words(state: ReviewState) -> str:
    """The number of passed checks in words: "1 check passed"."""
    number = len(state.passed)
    sentence = ngettext("%(count)d check passed", "%(count)d checks passed", number)
    return sentence % {"count": number}


def _of_running(state: ReviewState, reason: str) -> str:
    ended = 0
    for check in state.checks:
        if check.verdict not in UNDECIDED:
            ended += 1
    words = {"ended": ended, "total": len(state.checks), "reason": reason}
    if not reason:
        sentence = _("The checks still run: %(ended)d of %(total)d have a verdict.")
        if not state.checks:
            sentence = _("The checks still run: none has a verdict.")
        return sentence % words
    sentence = _(
        "The checks still run: %(ended)d of %(total)d have a verdict. So far: %(reason)s"
    )
    if not state.checks:
        sentence = _("The checks still run: none has a verdict. So far: %(reason)s")
    return _shortened(sentence % words)


def _without_recommendation(state: ReviewState, reason: str) -> str:
    has_failed = state.job is not None and state.job.status == Job.Status.FAILED
    if not reason:
        if has_failed:
            return _("No recommendation: the job failed.")
        return _("The agent recommends nothing.")
    if has_failed:
        sentence = _(
            "No recommendation: the job failed. The worst that was seen: %(reason)s"
        )
    else:
        sentence = _(
            "The agent recommends nothing. The worst that was seen: %(reason)s"
        )
    return _shortened(sentence % {"reason": reason})


def _reason_of_agent(state: ReviewState) -> str:
    if state.agent_reasons:
        return in_words(state.agent_reasons[0])
    return ""


def _shortened(words: str) -> str:
    if len(words) <= LONGEST:
        return words
    return f"{words[: LONGEST - 1].rstrip()}…"
