"""Rates cases: computes, stores each rating that differs from the one before, and records it."""

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

# A worker that dies in the middle leaves the row due again after this time.
PAUSE = timedelta(minutes=2)
# Sent with the `state` of a case whose rating is up to date, in the transaction that says so.
settled = Signal()


def advance(state: RatingState) -> None:
    """The work of its task: rate one case.

    What happens to the case meanwhile makes the row due again, so the due time is written first and
    taken away only where it is still the same.
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
        if row.claim_count != state.claim_count:
            raise LeaseLostError
        current = row.rating
        stored = inputs.to_json()
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
    """The result again, from the stored inputs and the policy of then."""
    inputs = Inputs.from_json(rating.inputs)
    policy = Policy.from_json(rating.policy.content)
    return rate(inputs, policy).to_json()


def of(case: Case) -> RatingState | None:
    """How the case is rated; None where it never was."""
    rows = RatingState.objects.select_related("rating__policy")
    return rows.filter(case=case, rating__isnull=False).first()


def history(case: Case) -> list[CaseRating]:
    """All ratings of the case, the newest first."""
    return list(CaseRating.objects.filter(case=case).select_related("policy"))


def standing_override(case: Case) -> RatingOverride | None:
    return overrides.current(case)


def words(band: str) -> str:
    """The name of a band; "" for none."""
    if band in Band.values:
        return str(Band(band).label)
    return ""
