"""Approved customers, and the worker that opens their reviews, at any time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import time_machine
from django.db.models import F
from django.utils.timezone import now

from reviews.audit import trail
from reviews.intake import cases
from reviews.models import (
    Agent,
    Case,
    CaseRating,
    Decision,
    PeriodicReview,
    RatingState,
    RiskPolicy,
)
from reviews.periodic import opening
from tests.factories import make_agent, make_connection
from tests.reviews.rows import someone

COMPANY: dict[str, Any] = {
    "business_name": "Acme Holdings Ltd",
    "business_registration_number": "HRB 12345",
    "address_of_incorporation": {"country_code": "DE"},
    "owners": [{"full_name": "Ann Lee", "ownership_percentage": 100}],
}
Status = PeriodicReview.Status


def agent_of(slug: str = "hub") -> Agent:
    return Agent.objects.filter(connection__slug=slug).first() or make_agent(
        make_connection(slug)
    )


def submitted(data: dict[str, Any] | None = None, **values: Any) -> Case:
    """A case whose checks are through, submitted as any other one."""
    data = COMPANY if data is None else data
    values.setdefault("subject", cases.subject_of(data))
    values.setdefault("documents", [])
    case = cases.submit(actor=None, agent=agent_of(), data=data, **values)
    # Its job is not run here.
    case.jobs.update(status="complete", due_at=None)
    case.move(Case.Status.TO_REVIEW)
    return case


def approve(case: Case, *, outcome: str = "approve") -> Decision:
    """A standing decision at this moment, with its line."""
    actor = Case.objects.filter(pk=case.pk).values_list("analyst", flat=True)
    assert actor is not None
    decision = Decision.objects.create(
        case=case, outcome=outcome, status="standing", rationale="Fine.",
        made_by=_somebody(),
    )  # fmt: skip
    trail.record(case, "decided", {"outcome": outcome}, about=[decision])
    case.move(Case.Status.DECIDED)
    return decision


def _somebody() -> Any:
    from django.contrib.auth.models import User

    return User.objects.filter(username="decider").first() or someone(
        "senior", "decider"
    )


def rate(case: Case, band: str) -> None:
    """A rating of that band at this moment, with its line."""
    policy = RiskPolicy.objects.get(status=RiskPolicy.Status.LIVE)
    rating = CaseRating.objects.create(case=case, policy=policy, score=1, band=band)
    RatingState.objects.update_or_create(
        case=case,
        defaults={
            "rating": rating, "policy": policy, "score": 1, "band": band, "due_at": None,
        },
    )  # fmt: skip
    trail.record(case, "rated", {"band": band}, about=[rating])


def work() -> None:
    """What the worker does with the rows that are due at this moment, as Python's clock says.

    The queue itself goes by the clock of the database, which no test can move.
    """
    for _ in range(20):
        rows = PeriodicReview.objects.filter(due_at__lte=now())
        if not rows:
            return
        for row in rows:
            PeriodicReview.objects.filter(pk=row.pk).update(
                claim_count=F("claim_count") + 1
            )
            row.refresh_from_db()
            opening.advance(row)
    raise AssertionError("The rows of reviews are due for ever.")


def work_until(moment: datetime) -> None:
    """Each row is worked when it comes due, until that moment."""
    for _ in range(200):
        row = (
            PeriodicReview.objects.filter(due_at__lte=moment).order_by("due_at").first()
        )
        if row is None or row.due_at is None:
            return
        with time_machine.travel(max(row.due_at, now()), tick=False):
            work()
    raise AssertionError("The rows of reviews are due for ever.")


def noon(day: Any, days: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC) + timedelta(days=days)


def review_of(case: Case) -> PeriodicReview:
    """Of its newest approval."""
    review = PeriodicReview.objects.filter(case=case).first()
    assert review is not None
    return review


def days_ago(days: int) -> Any:
    return time_machine.travel(now() - timedelta(days=days), tick=False)


def customer(days: int, band: str = "low", data: Any = None, **values: Any) -> Case:
    """Approved so many days ago."""
    with days_ago(days):
        case = submitted(data, **values)
        rate(case, band)
        approve(case)
    return case
