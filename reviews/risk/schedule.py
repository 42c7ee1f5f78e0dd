"""When a case is rated: after each event that may change its inputs, and after a new policy."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Max, Min
from django.utils.timezone import now

from compliance.work import notify
from reviews.models import Case, CaseEvent, RatingBatch, RatingState, RiskPolicy

QUEUE = "reviews.tasks.rate_cases"
BATCHES = "reviews.tasks.rate_again"
# Ids of cases in a batch. Those that change are locked for some tenths of a second.
BATCH = 200
# The events that may change the inputs of a rating.
EVENTS = frozenset(
    {
        "check_overridden",
        "check_reviewed",
        "approved_second",
        "decided",
        "dismissal_taken_back",
        "dismissed",
        "hit_confirmation_taken_back",
        "hit_confirmed",
        "job_complete",
        "job_failed",
        "late_result",
        "mark_taken_back",
        "reopened",
        "results_received",
        "value_choice_taken_back",
        "value_chosen",
        "value_corrected",
    }
)


def after_event(instance: CaseEvent, *, created: bool, **_: object) -> None:
    """Connected to post_save of `CaseEvent`, so part of the transaction of the event."""
    case = instance.case
    if not created or case is None or instance.what not in EVENTS:
        return
    # More results may follow until the job ends, and its end is an event of its own.
    is_running = case.status == Case.Status.CHECKING
    if instance.what == "results_received" and is_running:
        return
    rate(case)


@transaction.atomic
def rate(case: Case) -> None:
    """Make the case due for a rating. Several calls before the work result in one rating."""
    rows = RatingState.objects.filter(case=case)
    if not rows.update(due_at=now(), updated_at=now()):
        state = RatingState(case=case)
        RatingState.objects.bulk_create([state], ignore_conflicts=True)
    notify.after_commit(QUEUE)


def rate_cases(cases: Collection[int]) -> None:
    """Make these cases due, whose rating has been made before."""
    rows = RatingState.objects.filter(case__in=cases)
    rows.update(due_at=now(), updated_at=now())
    notify.after_commit(QUEUE)


def follow(policy: RiskPolicy) -> None:
    """Have all rated cases follow this version, which is live now. It may be called twice."""
    ids = RatingState.objects.aggregate(first=Min("case"), last=Max("case"))
    if ids["first"] is None:
        return
    rows = []
    for first in range(ids["first"], ids["last"] + 1, BATCH):
        rows.append(
            RatingBatch(policy=policy, first_case=first, last_case=first + BATCH - 1)
        )
    RatingBatch.objects.bulk_create(rows, ignore_conflicts=True)
    notify.after_commit(BATCHES)
