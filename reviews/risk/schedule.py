"""When a case is rated: after each event that may change its inputs."""

from __future__ import annotations

from django.db import transaction
from django.utils.timezone import now

from compliance.work import notify
from reviews.models import Case, CaseEvent, RatingState

QUEUE = "reviews.tasks.rate_cases"
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


def rate_all() -> None:
    """Make all cases due that have a rating state, except erased ones."""
    rows = RatingState.objects.filter(case__erased_at=None)
    rows.update(due_at=now(), updated_at=now())
    notify.after_commit(QUEUE)
