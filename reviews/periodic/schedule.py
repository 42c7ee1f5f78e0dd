"""Keeps the review dates up to date: an audit event that may change a date makes its row due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta

from django.db.models import Q
from django.utils.timezone import now

from compliance.work import notify
from reviews.models import Case, CaseEvent, Decision, Outcome, Party, PeriodicReview
from reviews.periodic import news

QUEUE = "reviews.tasks.open_periodic_reviews"
Status = PeriodicReview.Status
EVERY = timedelta(days=7)
MOST_OLD = 200  # of one run, each minute
# Events after which a case may have a new approval, or none.
_DECISIONS = frozenset({"decided", "approved_second", "reopened", "case_erased"})
# Events after which the risk band of the case may have changed.
_RATINGS = frozenset(
    {
        "rated",
        "rating_overridden",
        "rating_override_approved",
        "rating_override_taken_back",
        "rating_override_ended",
    }
)
# Events after which a document of the case may state another day of expiry.
_RESULTS = frozenset({"late_result"})
# Events that may be news about parties, and so concern all cases that name these parties.
_NEWS = frozenset(
    {
        "alarm",
        "hit_confirmation_taken_back",
        "hit_confirmed",
        "imported",
        "parties_recorded",
        "relation_added",
        "relation_ended",
        "relation_placed",
        "relations_imported",
        "reopened",
        "submitted",
    }
)
_MERGES = frozenset({"parties_merged", "parties_parted"})
_SEPARATIONS = frozenset({"party_put_back", "party_separated"})


def after_event(instance: CaseEvent, *, created: bool, **_: object) -> None:
    """Handle a new audit event. Connected to post_save, so it runs in the transaction of the
    event.
    """
    if not created:
        return
    case, what = instance.case, instance.what
    if case is None:
        # Joining or parting parties concerns all cases that name them.
        if what in _MERGES:
            _wake_parties(_heads(instance.data, "first", "second"))
        return
    if what in _DECISIONS:
        follow(case)
    elif what in _RATINGS | _RESULTS:
        _wake(Q(case=case))
    if what in _SEPARATIONS:
        _wake_parties(_heads(instance.data, "before", "after"))
    if what in _NEWS or _is_rejection(instance):
        _wake_parties(news.heads_of(case, known_before=what == "submitted"))


def _is_rejection(line: CaseEvent) -> bool:
    """Whether the line is about a rejection that stands. One that is proposed is no news."""
    is_standing = line.what in {"decided", "approved_second"}
    return is_standing and line.data.get("outcome") == Outcome.REJECT


def after_rating(cases: Collection[int], **_: object) -> None:
    """Connected to the signal that ratings may have changed the days to the next review."""
    _wake(Q(case__in=cases))


def follow(case: Case) -> None:
    """Watch the standing approval of the case, and end the reviews of earlier approvals."""
    approval = standing_approval(case)
    waiting = PeriodicReview.objects.filter(
        case=case,
        status=Status.WAITING,
    )
    if approval:
        # The review of an approval that no longer stands is ended.
        ended = waiting.exclude(decision=approval)
    else:
        ended = waiting
    if ended.update(status=Status.ENDED, due_at=None, updated_at=now()):
        Case.objects.filter(pk=case.pk).update(review_on=None)
    if approval is None:
        return
    # A unique constraint makes this a no-op for an approval that is watched already.
    review = PeriodicReview(case=case, decision=approval)
    PeriodicReview.objects.bulk_create([review], ignore_conflicts=True)
    _wake(Q(case=case))


def standing_approval(case: Case) -> Decision | None:
    if case.erased_at is not None:
        return None
    return Decision.objects.filter(
        case=case, status=Decision.Status.STANDING, outcome=Outcome.APPROVE
    ).first()


def compute_old_again(_queue: str) -> int:
    """Compute again the dates that have not been computed for a week.

    One statement: none of them can fail alone. Their rules may be those of an earlier release, or somebody may have moved one in the database.
    """
    moment = now()
    rows = PeriodicReview.objects.filter(
        status=Status.WAITING, updated_at__lt=moment - EVERY, due_at__gt=moment
    )
    keys = list(rows.order_by("updated_at").values_list("pk", flat=True)[:MOST_OLD])
    if keys:
        _wake(Q(pk__in=keys))
    return 0


def _wake(condition: Q) -> None:
    """Make dates due to be computed again. Several calls before the task runs cost one
    computation.
    """
    rows = PeriodicReview.objects.filter(condition, status=Status.WAITING)
    if rows.update(due_at=now(), updated_at=now()):
        notify.after_commit(QUEUE)


def _wake_parties(heads: Collection[int]) -> None:
    if heads:
        _wake(Q(case__in=news.links_of(heads).values("case")))


def _heads(data: Mapping[str, object], *names: str) -> set[int]:
    """The heads of both parties: after a merge was undone, the others stay with one of them."""
    keys = {int(str(data[name])) for name in names}
    rows = Party.objects.filter(pk__in=keys).values_list("pk", "head")
    return {head or key for key, head in rows}
