"""When a case is rated: after each line of its trail that may change the rating."""

from __future__ import annotations

from django.db import transaction
from django.utils.timezone import now

from compliance.work import notify
from reviews.models import Case, CaseEvent, RatingState

QUEUE = "reviews.tasks.rate_cases"
# The lines after which the inputs may be others.
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
    }
)


def after_event(instance: CaseEvent, *, created: bool, **_: object) -> None:
    """Connected to post_save of the lines of the trail, and so part of their transaction."""
    case = instance.case
    if not created or case is None or instance.what not in EVENTS:
        return
    # The end of the job has a line of its own: until then no result is the last.
    is_running = case.status == Case.Status.CHECKING
    if instance.what == "results_received" and is_running:
        return
    rate(case)


@transaction.atomic
def rate(case: Case) -> None:
    """Have the case rated soon. Many calls are one rating."""
    rows = RatingState.objects.filter(case=case)
    if not rows.update(due_at=now(), updated_at=now()):
        state = RatingState(case=case)
        RatingState.objects.bulk_create([state], ignore_conflicts=True)
    notify.after_commit(QUEUE)


def rate_all() -> None:
    """Have all cases rated again that have a rating."""
    rows = RatingState.objects.filter(case__erased_at=None)
    rows.update(due_at=now(), updated_at=now())
    notify.after_commit(QUEUE)
