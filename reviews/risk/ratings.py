"""Rates cases: computes the rating, stores it if it differs from the last one, and records it."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.dispatch import Signal
from django.utils.timezone import now

from compliance.languages import english
from compliance.work.rows import LeaseLostError
from reviews.audit import trail
from reviews.models import (
    Band,
    Case,
    CaseEvent,
    CaseRating,
    RatingOverride,
    RatingState,
)
from reviews.risk import overrides, policies, reading
from reviews.risk.engine.inputs import Inputs
from reviews.risk.engine.policy import Policy
from reviews.risk.engine.rating import rate

# If a worker dies during its work, the row is due again after this time.
PAUSE = timedelta(minutes=2)
# Sent with the `state` of a case when its rating is up to date, in the same transaction.
settled = Signal()


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
        _rate(case, state)
    rows = RatingState.objects.filter(pk=state.pk, claim_count=state.claim_count)
    with transaction.atomic():
        is_settled = rows.filter(due_at=mark).update(due_at=None)
        rows.update(leased_until=None, failures=0)
        if is_settled:
            state.refresh_from_db(fields=["band"])
            settled.send(RatingState, state=state)


def _rate(case: Case, state: RatingState) -> None:
    policy = policies.live()
    inputs = reading.inputs_of(case)
    rating = rate(inputs, Policy.from_json(policy.content))
    with transaction.atomic():
        row = RatingState.objects.select_for_update().get(pk=state.pk)
        # Another worker has claimed the row since, and its result counts.
        if row.claim_count != state.claim_count:
            raise LeaseLostError
        current = row.rating
        stored = inputs.to_json()
        # The same policy and the same inputs: the rating cannot differ.
        is_same = current is not None and current.policy_id == policy.pk
        if is_same and current is not None and current.inputs == stored:
            return
        new = CaseRating.objects.create(
            case=case,
            policy=policy,
            inputs=stored,
            score=rating.score,
            band=rating.band,
            result=rating.to_json(),
        )
        override = overrides.after_rating(case, new)
        band = overrides.effective_band(new, override)
        _record(case, new, current)
        RatingState.objects.filter(pk=row.pk).update(
            rating=new, score=new.score, band=band, updated_at=now()
        )
        overrides.show_in_queue(case, band)


@english()
def _record(case: Case, new: CaseRating, before: CaseRating | None) -> None:
    data: dict[str, object] = {
        "rating": new.pk,
        "policy": new.policy.number,
        "score": new.score,
        "band": new.get_band_display(),
    }
    if before is not None and before.band != new.band:
        data["before"] = before.get_band_display()
    trail.record(case, "rated", data, actor=CaseEvent.Actor.SYSTEM, about=[new])


def recompute(rating: CaseRating) -> dict[str, object]:
    """Compute a stored rating again, from its inputs and its version of the policy."""
    inputs = Inputs.from_json(rating.inputs)
    policy = Policy.from_json(rating.policy.content)
    return rate(inputs, policy).to_json()


def of(case: Case) -> RatingState | None:
    """The rating state of the case; None if it was never rated."""
    rows = RatingState.objects.select_related("rating__policy")
    return rows.filter(case=case, rating__isnull=False).first()


def history(case: Case) -> list[CaseRating]:
    """All ratings of the case, newest first."""
    return list(CaseRating.objects.filter(case=case).select_related("policy"))


def standing_override(case: Case) -> RatingOverride | None:
    return overrides.current(case)


def words(band: str) -> str:
    """The label of a band; "" for an unknown one."""
    if band in Band.values:
        return str(Band(band).label)
    return ""
