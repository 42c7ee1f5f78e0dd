"""Rates cases: computes the rating, stores it if it differs from the last one, and records it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.dispatch import Signal
from django.utils.timezone import now

from compliance.languages import english
from compliance.work.rows import LeaseLostError
from reviews.audit import trail
from reviews.models import (
    Case,
    CaseEvent,
    CaseRating,
    RatingState,
    RiskPolicy,
)
from reviews.risk import overrides, policies, reading
from reviews.risk.engine.inputs import Inputs
from reviews.risk.engine.policy import Policy
from reviews.risk.engine.rating import Rating, rate
from reviews.risk.ownership import below

# If a worker dies during its work, the row is due again after this time.
PAUSE = timedelta(minutes=2)
# Sent with the `states` of cases whose rating is up to date, in the same transaction.
settled = Signal()
# Sent with the ids of `cases` whose days to the next review may be others now, although no line
# of the trail was saved for them: see `trail.record_many`.
review_changed = Signal()


def advance(state: RatingState) -> None:
    """The work of the task: rate one case. Raises LeaseLostError.

    An event during the work sets another due time. The due time is cleared at the end only if
    it still is `mark`, so such an event leads to another rating.
    """
    mark = now() + PAUSE
    if not state.write({"due_at": mark}):
        raise LeaseLostError
    case = Case.objects.select_related("submitted_by").get(pk=state.case_id)
    if case.erased_at is None:
        # If another version became live in the meantime, rate the case again.
        while not _rate(case, state):
            pass
    else:
        # Read now: the event that asks for more may be later than the claim.
        state.refresh_from_db(fields=["spreads", "updated_at"])
    if state.spreads:
        below.rate(case, heartbeat=lambda: state.heartbeat(settings.LEASE))
    _release(state, mark)


def _release(state: RatingState, mark: datetime) -> None:
    """Give the row back: it is due no more, if nothing has made it due since the time `mark` was set."""
    rows = RatingState.objects.filter(pk=state.pk, claim_count=state.claim_count)
    released: dict[str, object] = {"leased_until": None, "failures": 0}
    with transaction.atomic():
        if rows.filter(due_at=mark).update(due_at=None, spreads=False, **released):
            settled.send(RatingState, states=[state])
            return
        # The cases below are due by now. Only another event asks for them again: two cases that
        # are rated at the same time would otherwise make each other due without end.
        rows.filter(updated_at=state.updated_at).update(spreads=False)
        rows.update(**released)


def _rate(case: Case, state: RatingState) -> bool:
    """Rate the case by the live version. Returns False if that is not live any more.

    Sets the band of `state`, whether it spreads, and its last change, as they are in the database now.
    """
    policy = policies.live()
    read = reading.inputs_of(case)
    inputs = read.inputs
    rating = rate(inputs, Policy.from_json(policy.content))
    with transaction.atomic():
        lock_cases([case.pk])
        row = RatingState.objects.select_for_update().get(pk=state.pk)
        # Another worker has claimed the row since, and its result counts.
        if row.claim_count != state.claim_count:
            raise LeaseLostError
        if not is_live(policy):
            return False
        state.spreads, state.updated_at = row.spreads, row.updated_at
        current = row.rating
        stored = inputs.to_json()
        changes: dict[str, object] = {}
        if row.changes_on != read.changes_on:
            changes["changes_on"] = read.changes_on
        if current and current.inputs == stored and is_same(current, rating):
            # The rating stays. It may follow a later version now.
            state.band = row.band
            is_followed = row.policy_id == policy.pk
            if not is_followed:
                state.updated_at = now()
                changes |= {"policy": policy, "updated_at": state.updated_at}
            if changes:
                RatingState.objects.filter(pk=row.pk).update(**changes)
            if not is_followed:
                review_changed.send(RatingState, cases=[case.pk])
            return True
        new = row_of(case, policy, inputs=stored, rating=rating)
        new.save()
        # Only a case that was rated can be rated otherwise by a person.
        override = overrides.after_rating(case, new) if current else None
        state.band = overrides.effective_band(new, override)
        _record(case, new, current)
        state.updated_at = now()
        changes |= {
            "rating": new,
            "policy": policy,
            "score": new.score,
            "band": state.band,
            "updated_at": state.updated_at,
        }
        RatingState.objects.filter(pk=row.pk).update(**changes)
        overrides.show_in_queue(case, state.band)
    return True


def lock_cases(keys: Collection[int]) -> dict[int, Case]:
    """Lock these cases, until the end of the transaction. Returns those that are not erased.

    Whoever writes to a case and to the state of its rating locks the case first. A decision
    does, too: with two orders each would wait for the other.
    """
    rows = Case.objects.select_for_update(of=("self",), no_key=True)
    rows = rows.filter(pk__in=keys, erased_at=None).order_by("pk")
    rows = rows.only("data_key", "risk_band")
    return {case.pk: case for case in rows}


def is_live(policy: RiskPolicy) -> bool:
    """Whether the version is still live.

    Asked with the lock on the state of a rating, so that no rating by an older version is stored
    after the newer one was followed.
    """
    return RiskPolicy.objects.filter(
        pk=policy.pk, status=RiskPolicy.Status.LIVE
    ).exists()


def is_same(current: CaseRating, rating: Rating | None) -> bool:
    """Whether a case with the same inputs keeps its rating: the score and the band are the same."""
    if rating is None:
        return False
    return (current.score, current.band) == (rating.score, rating.band)


def row_of(
    case: Case, policy: RiskPolicy, *, inputs: dict[str, object], rating: Rating
) -> CaseRating:
    return CaseRating(
        case=case,
        policy=policy,
        inputs=inputs,
        score=rating.score,
        band=rating.band,
        result=rating.to_json(),
    )


@english()
def _record(case: Case, new: CaseRating, before: CaseRating | None) -> None:
    data = data_of_line(new, before)
    trail.record(case, "rated", data, actor=CaseEvent.Actor.SYSTEM, about=[new])


def data_of_line(new: CaseRating, before: CaseRating | None) -> dict[str, object]:
    """What the line of the audit trail says of a new rating."""
    data: dict[str, object] = {
        "rating": new.pk,
        "policy": new.policy.number,
        "score": new.score,
        "band": new.get_band_display(),
    }
    if before is not None and before.band != new.band:
        data["was"] = before.get_band_display()
    return data


def recompute(rating: CaseRating) -> dict[str, object]:
    """Compute a stored rating again, from its inputs and its version of the policy."""
    return by_version(rating, rating.policy)


def by_version(rating: CaseRating, policy: RiskPolicy) -> dict[str, object]:
    """The result of the stored inputs by this version.

    Raises InputsError if they cannot be read, or were erased.
    """
    inputs = Inputs.from_json(rating.inputs)
    return rate(inputs, Policy.from_json(policy.content)).to_json()


def of(case: Case) -> RatingState | None:
    """The rating state of the case; None if it was never rated."""
    rows = RatingState.objects.select_related("rating", "policy")
    return rows.filter(case=case, rating__isnull=False).first()


def history(case: Case) -> list[CaseRating]:
    """All ratings of the case, newest first."""
    return list(CaseRating.objects.filter(case=case).select_related("policy"))
