"""Rates all cases again after a new version of the policy, in batches, from their stored inputs.

No document, result or mark is read. A case whose score and band stay keeps its rating, which then
follows the new version. A case whose inputs have changed is due in the queue of `ratings`, which
reads them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.timezone import now

from compliance.languages import english
from compliance.security.data_keys import DataKeyError
from compliance.work.rows import LeaseLostError
from reviews.audit import trail
from reviews.models import (
    Case,
    CaseRating,
    RatingBatch,
    RatingOverride,
    RatingState,
    RiskBand,
    RiskPolicy,
)
from reviews.risk import overrides, ratings, schedule
from reviews.risk.engine.inputs import READING, Inputs, InputsError
from reviews.risk.engine.policy import Policy
from reviews.risk.engine.rating import Rating, rate

Status = RatingBatch.Status


@dataclass(frozen=True)
class Progress:
    """How far the cases follow a version that was put in force."""

    batches: int
    done: int
    # Cases of the batches that are done.
    changed: int
    stayed: int
    read_again: int

    @property
    def cases(self) -> int:
        return self.changed + self.stayed + self.read_again


def progress(policy: RiskPolicy) -> Progress | None:
    """None if no batch of the version waits: all cases follow it, or it never was in force."""
    return progress_by_policy().get(policy.pk)


def progress_by_policy() -> dict[int, Progress]:
    """The progress of each version with batches, by its id. Few have any: see `RatingBatch`."""
    # order_by() removes the default order, which would become part of GROUP BY.
    rows = RatingBatch.objects.order_by().values("policy")
    rows = rows.annotate(
        batches=Count("id"),
        done=Count("id", filter=Q(status=Status.DONE)),
        changed=Sum("changed"),
        stayed=Sum("stayed"),
        read_again=Sum("read_again"),
    )
    result = {}
    for row in rows:
        result[row["policy"]] = Progress(
            batches=row["batches"],
            done=row["done"],
            changed=row["changed"],
            stayed=row["stayed"],
            read_again=row["read_again"],
        )
    return result


@dataclass(frozen=True)
class _Result:
    """What the new version says of a case. `rating` is None if its inputs must be read again."""

    state: RatingState
    inputs: dict[str, object]
    rating: Rating | None

    @property
    def stays(self) -> bool:
        current = self.state.rating
        return current is not None and ratings.is_same(current, self.rating)


def advance(batch: RatingBatch) -> None:
    """The work of the task. Raises LeaseLostError if another worker has claimed the batch.

    The ratings are computed without a lock, and stored only where the case still has the rating
    from which they were computed. The others are computed again.
    """
    policy = Policy.from_json(batch.policy.content)
    while not _store_all(batch, _results(batch, policy)):
        batch.heartbeat(settings.LEASE)


def _states(batch: RatingBatch) -> QuerySet[RatingState]:
    """The cases of the batch that do not follow its version yet.

    A case that is due is left out: the queue of `ratings` reads its inputs, and rates it by the
    version that is live then.
    """
    rows = RatingState.objects.filter(
        case__gte=batch.first_case,
        case__lte=batch.last_case,
        case__erased_at=None,
        rating__isnull=False,
        due_at=None,
    )
    is_other = Q(policy=None) | ~Q(policy=batch.policy_id)
    return rows.filter(is_other).order_by("case")


def _results(batch: RatingBatch, policy: Policy) -> dict[int, _Result]:
    """What the version says of each case, by the id of the case."""
    results = {}
    rows = _states(batch).select_related("rating").defer("rating__result")
    for state in rows:
        assert state.rating is not None  # noqa: S101 - by the query
        results[state.case_id] = _result(state, state.rating, policy)
    return results


def _result(state: RatingState, current: CaseRating, policy: Policy) -> _Result:
    try:
        stored = current.inputs
        inputs = Inputs.from_json(stored)
    except (InputsError, DataKeyError):
        return _Result(state, {}, None)
    # Another version of the code read these inputs.
    if inputs.reading != READING:
        return _Result(state, {}, None)
    return _Result(state, stored, rate(inputs, policy))


@transaction.atomic
def _store_all(batch: RatingBatch, results: dict[int, _Result]) -> bool:
    """Store the results and end the batch. Returns False if some must be computed again."""
    # Locks the batch: a second worker with the same batch waits, and then has lost its lease.
    batch.heartbeat(settings.LEASE)
    changed = [pk for pk, each in results.items() if each.rating and not each.stays]
    # Cases are locked before the states of their ratings, as everywhere.
    cases = ratings.lock_cases(changed)
    locked = list(_states(batch).select_for_update(of=("self",), no_key=True))
    if not ratings.is_live(batch.policy):
        # A later version is live. It has batches of its own.
        locked = []
    current = []
    has_others = False
    for state in locked:
        result = results.get(state.case_id)
        if result is None or result.state.rating_id != state.rating_id:
            # Its rating has changed since, or a worker has just rated it for the first time.
            has_others = True
        elif state.case_id in cases or result.stays or result.rating is None:
            current.append((state, result))
    counts = _store(batch, current, cases)
    for name, count in counts.items():
        setattr(batch, name, getattr(batch, name) + count)
    if has_others:
        batch.write({name: getattr(batch, name) for name in counts})
        return False
    _end(batch)
    return True


def _store(
    batch: RatingBatch,
    rows: Sequence[tuple[RatingState, _Result]],
    cases: dict[int, Case],
) -> dict[str, int]:
    """Store these results. Returns how many cases changed, stayed, and are read again."""
    changed = []
    stayed = []
    unread = []
    for state, result in rows:
        if result.rating is None:
            unread.append(state)
        elif result.stays:
            stayed.append(state)
        else:
            changed.append((state, result))
    _follow(batch.policy, stayed)
    _rate(batch.policy, changed, cases)
    if unread:
        schedule.rate_cases([state.case_id for state in unread])
    ratings.settled.send(
        RatingState, states=[*stayed, *(state for state, _ in changed)]
    )
    return {
        "changed": len(changed),
        "stayed": len(stayed),
        "read_again": len(unread),
    }


def _follow(policy: RiskPolicy, states: Sequence[RatingState]) -> None:
    """These ratings stay, and follow the new version."""
    if not states:
        return
    keys = [state.pk for state in states]
    RatingState.objects.filter(pk__in=keys).update(policy=policy, updated_at=now())
    days_of = _review_days({state.policy_id for state in states} | {policy.pk})
    # The band of these cases is the same, but the version may have other days for it.
    others = []
    for state in states:
        before = days_of.get(state.policy_id, {})
        if before.get(state.band) != days_of[policy.pk].get(state.band):
            others.append(state.case_id)
    if others:
        ratings.review_changed.send(RatingState, cases=others)


def _review_days(keys: Collection[int | None]) -> dict[int | None, dict[str, int]]:
    days: dict[int | None, dict[str, int]] = {}
    for row in RiskPolicy.objects.filter(pk__in=[key for key in keys if key]):
        policy = Policy.from_json(row.content)
        # The bands of rows are plain strings, so the keys are, too.
        days[row.pk] = {
            str(band): number for band, number in policy.review_days.items()
        }
    return days


@english()
def _rate(
    policy: RiskPolicy,
    rows: Sequence[tuple[RatingState, _Result]],
    cases: dict[int, Case],
) -> None:
    """Store new ratings, each with its line of the audit trail."""
    if not rows:
        return
    new = []
    for state, result in rows:
        assert result.rating is not None  # noqa: S101 - by the caller
        new.append(
            ratings.row_of(
                cases[state.case_id], policy, inputs=result.inputs, rating=result.rating
            )
        )
    CaseRating.objects.bulk_create(new)
    bands = _effective_bands(new)
    lines = []
    for (state, result), rating in zip(rows, new, strict=True):
        data = ratings.data_of_line(rating, result.state.rating)
        lines.append((rating.case, data, rating))
        state.rating = rating
        state.policy = policy
        state.score = rating.score
        state.band = bands[rating.case_id]
    trail.record_many("rated", lines)
    RatingState.objects.bulk_create(
        [state for state, _ in rows],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["rating", "policy", "score", "band", "updated_at"],
    )
    _show_in_queue(cases, bands)
    # record_many() sends no signal for its lines, so this calls the schedule of reviews.
    ratings.review_changed.send(RatingState, cases=list(bands))


def _effective_bands(new: Sequence[CaseRating]) -> dict[int, str]:
    """The band of each case, with what people say."""
    standing = RatingOverride.objects.filter(
        case__in=[rating.case_id for rating in new],
        status__in=[RatingOverride.Status.STANDING, RatingOverride.Status.PROPOSED],
    )
    with_override = set(standing.values_list("case", flat=True))
    bands = {}
    for rating in new:
        override = None
        # Few cases have one. Whether it ends is looked at case by case.
        if rating.case_id in with_override:
            override = overrides.after_rating(rating.case, rating)
        bands[rating.case_id] = overrides.effective_band(rating, override)
    return bands


def _show_in_queue(cases: dict[int, Case], bands: dict[int, str]) -> None:
    """Update the copies of the bands on the cases, with one statement a band."""
    cases_of: dict[RiskBand, list[int]] = {}
    for pk, band in bands.items():
        of_queue = RiskBand.of(band)
        if cases[pk].risk_band != of_queue:
            cases_of.setdefault(of_queue, []).append(pk)
    for new_band, keys in cases_of.items():
        Case.objects.filter(pk__in=keys).update(risk_band=new_band)


def _end(batch: RatingBatch) -> None:
    """End the batch. The last one of its version writes a line, and removes them all."""
    # One batch of a version ends at a time, so that one of them is the last.
    RiskPolicy.objects.select_for_update(no_key=True).get(pk=batch.policy_id)
    is_ended = batch.move(
        Status.DONE,
        due_at=None,
        leased_until=None,
        changed=batch.changed,
        stayed=batch.stayed,
        read_again=batch.read_again,
    )
    if not is_ended:
        raise LeaseLostError
    rows = RatingBatch.objects.filter(policy=batch.policy_id)
    if rows.filter(status=Status.WAITING).exists():
        return
    sums = rows.aggregate(
        changed=Sum("changed"), stayed=Sum("stayed"), read_again=Sum("read_again")
    )
    trail.record(None, "policy_followed", {"which": str(batch.policy), **sums})
    rows.delete()


def read_again(batch: RatingBatch, _reason: str) -> None:
    """End a batch that fails again and again: its cases are rated one by one, from their facts.

    So one case that cannot be rated does not hold up the others.
    """
    with transaction.atomic():
        batch.heartbeat(settings.LEASE)
        cases = list(_states(batch).values_list("case", flat=True))
        schedule.rate_cases(cases)
        batch.read_again += len(cases)
        _end(batch)
