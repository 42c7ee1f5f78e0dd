"""Compares the planned reviews of customers with their approvals, for `audit_verify`.

Approvals, ratings and policies are bound to the trail. A planned review is computed from them again and
again, so it has no line. Whoever moves or removes it lets a customer go without a review.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Exists, F, OuterRef, Subquery
from django.utils.timezone import now

from reviews.models import Case, Decision, Outcome, PeriodicReview, RiskPolicy
from reviews.periodic import opening
from reviews.periodic.dates import plus
from reviews.risk.engine.policy import Policy, PolicyError

Status = PeriodicReview.Status
# A review that is computed now, or tried again after an error, is due within minutes.
SOON = timedelta(hours=1)


def faults() -> Iterator[str]:
    """Planned reviews that are missing or too late. Those of erased cases are left out."""
    yield from _missing()
    yield from _too_late()
    yield from _other_day_in_the_queue()


def _missing() -> Iterator[str]:
    """Approvals without a review: it was removed, or it ended before its time."""
    approvals = Decision.objects.filter(
        status=Decision.Status.STANDING,
        outcome=Outcome.APPROVE,
        case__erased_at=None,
    )
    reviews = PeriodicReview.objects.filter(decision=OuterRef("pk"))
    # A review is ended if the case has gone on in another one.
    others = PeriodicReview.objects.filter(
        case=OuterRef("case"), status=Status.OPENED
    ).exclude(opened_case=None)
    watched = Exists(reviews.exclude(status=Status.ENDED))
    gone_on = Exists(reviews) & Exists(others)
    missing = approvals.exclude(watched).exclude(gone_on).order_by("pk")
    for pk, case in missing.values_list("pk", "case"):
        yield f"reviews_case {case}: its approval {pk} has no planned review."


def _too_late() -> Iterator[str]:
    """Reviews that are due later than the policy says for the band of the case, or than its
    documents, relations and alarms say, which make a review earlier.
    """
    days = _review_days()
    # The highest number of any version, for a case without a rating.
    longest = max(days.values(), default=0)
    latest_soon = now() + SOON
    rows = PeriodicReview.objects.filter(
        status=Status.WAITING,
        case__erased_at=None,
    )
    rows = rows.select_related("decision", "case").order_by("pk")
    rows = rows.annotate(
        policy=F("case__risk_rating__policy"), band=F("case__risk_rating__band")
    )
    for row in rows.defer("changes").iterator(chunk_size=2000):
        approved_at = row.decision.second_at or row.decision.made_at
        interval = days.get((row.policy, row.band), longest)
        latest = plus(approved_at.astimezone(UTC).date(), interval)
        if not _is_in_time(row, latest, latest_soon):
            yield f"reviews_periodicreview {row.pk}: it is later than its approval allows."
        elif _is_later_than_news(row, latest_soon):
            yield f"reviews_periodicreview {row.pk}: it is later than its documents or news allow."


def _is_in_time(row: PeriodicReview, latest: date, latest_soon: datetime) -> bool:
    if row.due_at is None:
        return False
    if row.due_at <= latest_soon:
        # Its day is computed again before it counts.
        return True
    begins_at = datetime.combine(latest, time(), UTC)
    return row.on is not None and row.on <= latest and row.due_at <= begins_at


def _is_later_than_news(row: PeriodicReview, latest_soon: datetime) -> bool:
    """Whether the day, computed again, is earlier than the stored one."""
    if row.on is None or row.due_at is None or row.due_at <= latest_soon:
        return False
    try:
        day = opening.date_of(row).on
    except PolicyError:
        # The comparison of the policy with its line names it.
        return False
    begins_at = datetime.combine(day, time(), UTC)
    return day < row.on or begins_at < row.due_at


def _review_days() -> dict[tuple[int, str], int]:
    """Days between two reviews, by the key of the policy and the band."""
    days = {}
    for row in RiskPolicy.objects.all():
        try:
            policy = Policy.from_json(row.content)
        except PolicyError:
            # It was changed in the database: the comparison with its line names it.
            continue
        for band, number in policy.review_days.items():
            days[row.pk, str(band)] = number
    return days


def _other_day_in_the_queue() -> Iterator[str]:
    """Cases that show another day than that of their review."""
    reviews = PeriodicReview.objects.filter(
        case=OuterRef("pk"),
        status=Status.WAITING,
    )
    cases = Case.objects.filter(erased_at=None).order_by("pk")
    cases = cases.annotate(planned=Subquery(reviews.values("on")[:1]))
    # NULL is never equal, so rows are compared here.
    for pk, shown, planned in cases.values_list("pk", "review_on", "planned").iterator(
        chunk_size=2000
    ):
        if shown != planned:
            yield f"reviews_case {pk}: it shows another day than that of its review."
