"""Trials of a draft of the decision policy on the first decision of each past case.

A trial uses the results as they are now, with the risk band and the recommendation of the time
of the decision. It does not read documents or ask lists again, and it writes no row of a case.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Min, Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import clean_cases, policy
from reviews.decisions.policies import demands, versions
from reviews.decisions.policies.content import Demands, Policy
from reviews.findings.review_state import ReviewState
from reviews.models import (
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
    Outcome,
    RatingOverride,
    RiskBand,
)
from reviews.risk import overrides
from reviews.versions import trials
from reviews.versions.errors import RefusedError
from reviews.versions.trials import Chunk

QUEUE = "reviews.tasks.try_decision_policies"
# Decisions of one chunk. Each needs the results of its case, about 10 ms.
CHUNK = 20
LONGEST_REASON = 1_000
Status = DecisionTrial.Status
# The figures of a trial. AUTOMATIC: the draft would have approved automatically; AGREE and
# DIFFER divide these by what people decided. INCOMPLETE, SENIOR, SECOND: the draft would have
# asked for more evidence, for a senior, or for a second person.
AUTOMATIC, AGREE, DIFFER = "automatic", "agree", "differ"
INCOMPLETE, SENIOR, SECOND = "incomplete", "senior", "second"
FIGURES = (AUTOMATIC, AGREE, DIFFER, INCOMPLETE, SENIOR, SECOND)


def begin(version: DecisionPolicy, *, actor: User) -> DecisionTrial:
    """Start a trial of a draft. A worker runs it. Raises RefusedError and PermissionDenied."""
    roles.require(actor, roles.DECISION_POLICY)
    if version.status != DecisionPolicy.Status.DRAFT:
        raise RefusedError(_("Only a draft is tried."))
    try:
        with transaction.atomic():
            trial = DecisionTrial.objects.create(
                policy=version,
                against=versions.live(),
                by=actor,
                total=_first_decisions().count(),
            )
            _record(trial, "policy_tried", actor)
            notify.after_commit(QUEUE)
    except IntegrityError as exc:
        raise RefusedError(_("It is being tried already.")) from exc
    return trial


def _first_decisions() -> QuerySet[Decision]:
    """The first decision of each case that is not erased: what a person decided without a hint.

    Decisions that a second person sent back do not count. Automatic approvals are excluded, as
    they say nothing about people.
    """
    rows = Decision.objects.exclude(status=Decision.Status.RETURNED)
    first = rows.values("case").annotate(first=Min("pk")).values("first")
    decisions = Decision.objects.filter(
        pk__in=first,
        case__erased_at=None,
    )
    return decisions.exclude(made_by=None).order_by("case_id")


def advance(trial: DecisionTrial) -> None:
    """The work of the task: run the trial in chunks until all decisions are counted."""
    content = Policy.from_json(trial.policy.content)
    trials.run(
        trial,
        next_rows=_decisions_after,
        work=lambda decisions: _chunk(trial, content, decisions),
        record_end=lambda: _record(trial, "policy_trial_done", None),
    )


def _decisions_after(case: int) -> Sequence[Decision]:
    rows = _first_decisions().filter(case_id__gt=case)
    rows = rows.select_related("case__procedure", "case__agent", "made_by")
    return list(rows[:CHUNK])


def _chunk(
    trial: DecisionTrial, content: Policy, decisions: Sequence[Decision]
) -> Chunk:
    # Count the figures of these decisions, and note each contradiction.
    counts = {**dict.fromkeys(FIGURES, 0), **trial.counts}
    contradictions = []
    for decision in decisions:
        figures = _figures(decision, content)
        for name in figures:
            counts[name] += 1
        if DIFFER in figures:
            contradictions.append(
                Contradiction(
                    trial=trial,
                    case=decision.case,
                    decision=decision,
                    outcome=decision.outcome,
                )
            )
    return Chunk({"counts": counts}, contradictions)


def _figures(decision: Decision, content: Policy) -> list[str]:
    """The names of the figures that this decision counts in."""
    case = decision.case
    band = band_then(decision)
    needs = content.demands(case.agent_id, band.word)
    state = ReviewState.of(case)
    figures = []
    if _would_be_automatic(decision, state, band, needs):
        agrees = decision.outcome == Outcome.APPROVE and not _was_reopened(decision)
        figures += [AUTOMATIC, AGREE if agrees else DIFFER]
    is_approval = decision.outcome == Outcome.APPROVE
    if is_approval and demands.incomplete(case, state, needs):
        figures.append(INCOMPLETE)
    made_by = decision.made_by
    needs_senior = demands.is_for_seniors(decision.outcome, needs)
    if needs_senior and made_by and not made_by.has_perm(roles.APPROVE):
        figures.append(SENIOR)
    if decision.outcome in needs.second and not decision.needs_second:
        figures.append(SECOND)
    return figures


def _was_reopened(decision: Decision) -> bool:
    """Whether the case was reopened later. Such an approval does not count as agreement."""
    return decision.status == Decision.Status.REOPENED


def _would_be_automatic(
    decision: Decision, state: ReviewState, band: RiskBand, needs: Demands
) -> bool:
    """Whether the draft would approve the case automatically.

    Alarms, assignments and other cases of the customer at the time of the decision are unknown, so
    they are not judged.
    """
    case = decision.case
    is_allowed = needs.is_automatic and band == RiskBand.LOW
    if not is_allowed or demands.is_for_seniors(Outcome.APPROVE, needs):
        return False
    faults = clean_cases.of_the_agent(case, decision.recommendation)
    faults += clean_cases.of_the_results(state)
    faults += demands.incomplete(case, state, needs)
    faults += clean_cases.of_reviews(case)
    faults += policy.reasons_by_rules(case, state, Outcome.APPROVE)
    return not faults and Outcome.APPROVE not in needs.second


def band_then(decision: Decision) -> RiskBand:
    """The risk band at the time of the decision, raised by the override of that time.

    An override that lowers the band is ignored.
    """
    rating = decision.case.ratings.filter(at__lte=decision.made_at).first()
    if rating is None:
        return RiskBand.NONE
    rows = decision.case.rating_overrides.filter(made_at__lte=decision.made_at)
    rows = rows.filter(Q(ended_at=None) | Q(ended_at__gt=decision.made_at))
    # Proposed or rejected overrides had no effect.
    standing = [RatingOverride.Status.STANDING, RatingOverride.Status.ENDED]
    override = rows.filter(status__in=standing).first()
    band = rating.band
    if override is not None and not overrides.is_down(override.was, override.band):
        band = max(band, override.band, key=overrides.ORDER.index)
    return RiskBand.of(band)


def acknowledge(row: Contradiction, *, actor: User, reason: str) -> None:
    """Acknowledge a contradiction: say why the version may become live all the same.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.DECISION_POLICY, row.case)
    reason = reason.strip()
    if not reason:
        raise RefusedError(_("Say why the version may go live all the same."))
    with transaction.atomic():
        # The filter and the lock let only one of two people acknowledge it.
        rows = Contradiction.objects.select_for_update().filter(acknowledged_by=None)
        current = rows.filter(pk=row.pk).first()
        if current is None:
            raise RefusedError(_("It is acknowledged already."))
        current.reason = reason[:LONGEST_REASON]
        current.acknowledged_by = actor
        current.acknowledged_at = now()
        current.save()
        data: dict[str, object] = {
            "which": str(current.trial.policy),
            "outcome": current.outcome,
            "reason": current.reason,
        }
        trail.record(
            current.case,
            "contradiction_acknowledged",
            data,
            user=actor,
            about=[current],
        )


def _record(trial: DecisionTrial, what: str, actor: User | None) -> None:
    data: dict[str, object] = {
        "which": str(trial.policy),
        "against": str(trial.against or ""),
        "total": trial.total,
    }
    if trial.status == Status.DONE:
        data |= {"done": trial.done, "counts": trial.counts}
    trail.record(None, what, data, user=actor)
