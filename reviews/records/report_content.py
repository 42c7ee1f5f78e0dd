"""The content of the case report in words, shared by the page and the PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from compliance.pages.phrases import in_sentence
from papers import countries
from reviews import results
from reviews.findings import recommendations
from reviews.findings.review_state import ReviewState
from reviews.models import (
    Case,
    CaseEvent,
    ChecklistMark,
    Decision,
    RiskBand,
    ValueChoice,
)
from reviews.periodic.view import ReviewView
from reviews.procedures import checklists
from reviews.procedures.checklists import Checklist
from reviews.records.trail_words import Event
from reviews.results.kinds import STATE_WORDS
from reviews.results.sentences.display import in_words, labelled
from reviews.results.words import country_name, translated, value_in_words
from reviews.risk.view import RatingView

MAX_FACTS = 200  # members of the self-attested data
OUTCOMES = {
    "approve": gettext_lazy("Approved"),
    "reject": gettext_lazy("Rejected"),
    "request": gettext_lazy("Information requested"),
    "escalate": gettext_lazy("Escalated"),
}
# Actors that are not people. Any other actor is the desk itself.
ACTORS = {
    "agent": gettext_lazy("The agent"),
    "applicant": gettext_lazy("The applicant"),
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


def attested(case: Case) -> list[tuple[str, str]]:
    """The self-attested data as pairs of label and text."""
    data = case.self_attested_data
    if isinstance(data, dict):
        members = data
    else:
        members = {"data": data}
    pairs = []
    for member, value in list(members.items())[:MAX_FACTS]:
        # Country codes are shown with the name of the country.
        label = results.label(str(member))
        words = results.shown(_content(value))
        is_country = "country" in label.casefold()
        if is_country and words in countries.NAMES:
            words = f"{country_name(words)} ({words})"
        if words:
            pairs.append((label, words))
    return pairs


def _content(value: object) -> object:
    """The value without members that only hold another one, such as the ID data of a government ID."""
    while isinstance(value, dict) and len(value) == 1:
        [inner] = value.values()
        if not isinstance(inner, dict):
            break
        value = inner
    return value


def outcome(decision: Decision) -> str:
    words = str(OUTCOMES[decision.outcome])
    if decision.status == Decision.Status.STANDING:
        return words
    return f"{words}: {in_sentence(decision.get_status_display())}"


def facts(case: Case, decisions: Sequence[Decision]) -> dict[str, str]:
    """The facts at the top of the report. `decisions` are ordered newest first."""
    decision, by, codes = _("None yet"), "-", "-"
    if decisions:
        newest = decisions[0]
        decision, by = outcome(newest), people(newest)
        codes = ", ".join(reason[0] for reason in newest.reasons)
    recommendation = recommendations.shown(case.recommendation)
    return {
        _("Decision"): decision,
        _("Decided by"): by,
        _("Reasons"): codes,
        _("Agent recommended"): recommendation or _("nothing"),
        _("Risk"): risk(case),
        _("Next review"): str(case.review_on or "-"),
    }


def risk(case: Case) -> str:
    return str(RiskBand(case.risk_band).label)


def rating(view: RatingView) -> Iterator[str]:
    """The rating in sentences, and the override by a person."""
    rated = view.rating
    yield (
        _("Score %(score)s of 100, %(band)s by policy %(policy)s, %(time)s UTC.")
        % {
            "score": rated.score,
            "band": in_sentence(rated.get_band_display()),
            "policy": rated.policy.number,
            "time": f"{rated.at:%Y-%m-%d %H:%M}",
        }
    )
    for reason in view.overrides:
        yield in_words(reason)
    if view.unknown:
        yield _("Unknown: %(names)s.") % {"names": ", ".join(view.unknown)}
    override = view.override
    if override is not None:
        by = name(override.made_by)
        words = {
            "person": by,
            "band": in_sentence(override.get_band_display()),
            "status": in_sentence(override.get_status_display()),
            "reason": override.reason,
        }
        sentence = _("%(person)s rates it %(band)s (%(status)s): %(reason)s")
        if override.second_by:
            words["second"] = name(override.second_by)
            sentence = _(
                "%(person)s rates it %(band)s (%(status)s): %(reason)s %(second)s agreed."
            )
        yield sentence % words


def review(view: ReviewView) -> Iterator[str]:
    """Sentences about periodic reviews: of which case this is one, when the next is due,
    changes.
    """
    waiting = view.waiting
    if waiting and waiting.on:
        reason = in_sentence(waiting.get_reason_display())
        yield _("The next review is due on %(day)s: %(reason)s.") % {
            "day": waiting.on,
            "reason": reason,
        }
    row = view.of
    if row is None:
        return
    reason = in_sentence(row.get_reason_display())
    yield _("Review of case %(case)s, due on %(day)s: %(reason)s.") % {
        "case": row.case.reference,
        "day": row.on,
        "reason": reason,
    }
    for change, reference in view.changes:
        where = ""
        if reference:
            where = f", {reference}"
        yield f"{change.on}: {in_words(change.words)}{where}."
    for label, verdict_then, verdict_now in view.checks:
        then = state_word(verdict_then)
        now = state_word(verdict_now)
        yield _("%(check)s: %(then)s then, %(now)s now.") % {
            "check": label,
            "then": then,
            "now": now,
        }


def checklist(own: Checklist) -> Iterator[tuple[str, str]]:
    """Each item of the checklist, with who ticked it or why it is not needed."""
    for line in own.lines:
        mark = line.mark
        if mark is None:
            yield (
                line.item.label,
                pgettext("state", "Open")
                if line.item.required
                else _("Open, not required"),
            )
            continue
        words = {"person": name(mark.by), "time": f"{mark.at:%Y-%m-%d %H:%M}"}
        sentence = _("Not needed: %(person)s, %(time)s UTC")
        if mark.kind == ChecklistMark.Kind.TICKED:
            sentence = _("Ticked: %(person)s, %(time)s UTC")
        text = sentence % words
        yield line.item.label, f"{text}. {mark.note}" if mark.note else text


def custom_fields(case: Case, own: Checklist) -> Iterator[tuple[str, str]]:
    """The fields of the procedure with values, and further columns of the imported file."""
    for value in own.values:
        yield value.spec.label, value.words or "-"
    yield from checklists.extra_of(case).items()


def erasures(case: Case) -> Iterator[str]:
    """Sentences about the erasure of personal data; usually there are none."""
    if case.erased_at is None:
        return
    for row in case.erasures.exclude(erased_at=None).select_related("by"):
        if row.by:
            by = name(row.by)
        else:
            by = _("the rule")
        yield (
            _("Personal data erased %(time)s UTC by %(person)s: %(reason)s.")
            % {
                "time": f"{row.erased_at:%Y-%m-%d %H:%M}",
                "person": by,
                "reason": row.rule_name or row.reason,
            }
        )


def agent_reasons(review_state: ReviewState) -> list[str]:
    """Why the agent recommended its outcome, and the version of the requirements."""
    reasons = list(review_state.agent_reasons)
    version = review_state.case.requirements_version
    if version:
        reasons.append(
            _("Judged by the requirements %(version)s.") % {"version": version}
        )
    return reasons


def people(decision: Decision) -> str:
    """The names of who decided and who agreed."""
    names = [decision.maker]
    if decision.second_by:
        names.append(name(decision.second_by))
    return ", ".join(names)


def reasons(decision: Decision) -> str:
    return "; ".join(f"{code} {translated(label)}" for code, label in decision.reasons)


def later(decision: Decision) -> Iterator[str]:
    """What happened to the decision later: the second person, and the reopening."""
    if decision.second_by and decision.second_at:
        sentence = _("Agreed by %(person)s, %(time)s UTC")
        if decision.status == Decision.Status.RETURNED:
            sentence = _("Sent back by %(person)s, %(time)s UTC")
        words = {
            "person": name(decision.second_by),
            "time": f"{decision.second_at:%Y-%m-%d %H:%M}",
        }
        note = "."
        if decision.second_note:
            note = f": {decision.second_note}"
        yield f"{sentence % words}{note}"
    if decision.reopened_for:
        yield _("Reopened: %(reason)s") % {"reason": in_words(decision.reopened_for)}


def word(finding: results.Finding) -> str:
    """The state of a finding in one word."""
    if isinstance(finding, results.Section):
        return state_word(finding.state)
    if isinstance(finding, results.Hit):
        return finding.how
    if isinstance(finding, results.Indicator):
        return state_word(finding.type)
    return ""


def state_word(state: str) -> str:
    """The state in the word of the pages, such as “Not applicable”, instead of the wire word."""
    words = str(STATE_WORDS.get(state) or state.replace("_", " ").lower())
    return capfirst(words)


def words(finding: results.Finding) -> str:
    """The words of a finding: its name, with its description or analysis."""
    description = getattr(finding, "description", "")
    analysis = getattr(finding, "analysis", "")
    if description or analysis:
        return f"{finding.name}. {description or analysis}"
    return finding.name


def of_document(finding: results.Finding, state: ReviewState) -> str:
    """What the document states of a field, as it was read, and as a person chose it."""
    if not isinstance(finding, results.Comparison):
        return ""
    words = value_in_words(finding.label, finding.extracted)
    if finding.is_unsure:
        words = _("unsure: %(several)s") % {"several": " / ".join(finding.offered)}
    choice = state.values.get(finding)
    if choice is None:
        return words
    if choice.kind == ValueChoice.Kind.ABSENT:
        chosen = _("the document states none, chosen by %(name)s") % {
            "name": name(choice.by)
        }
        return f"{words}; {chosen}" if words else chosen
    chosen = _("chosen by %(name)s: %(value)s (%(kind)s)") % {
        "name": name(choice.by),
        "value": choice.value,
        "kind": in_sentence(choice.get_kind_display()),
    }
    return f"{words}; {chosen}" if words else chosen


def who(event: CaseEvent) -> str:
    if event.by:
        return event.by
    return str(ACTORS.get(event.actor, _("The desk")))


def what(event: CaseEvent) -> str:
    """The act and its details, in the same words as the page of the case."""
    text = Event.of(event)
    act = capfirst(text.words)
    if not text.details:
        return act
    details = [labelled(name, value) for name, value in text.details]
    return f"{act}. {'; '.join(details)}"
