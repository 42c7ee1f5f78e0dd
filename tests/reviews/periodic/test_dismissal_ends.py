"""A dismissal ends on its day: the rating, the people and the approval learn of it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews import results, tasks
from reviews.access import roles
from reviews.audit import trail, verification
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.models import (
    Agent,
    Case,
    Dismissal,
    Notification,
    RatingState,
)
from reviews.people import due_messages
from reviews.periodic import dismissal_ends
from tests.clocks import travel
from tests.factories import make_agent, make_connection
from tests.reviews.decisions.test_same_customer import clean
from tests.reviews.risk.rows import hit, newest
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
WORDS = "The dismissal of “Northwind Limited” has ended."


@pytest.fixture
def agent() -> Agent:
    one_person()
    return make_agent(make_connection())


@pytest.fixture
def ana() -> User:
    return someone(roles.ANALYST, "ana")


def dismiss(case: Case, ana: User, *, hours: int = 0) -> Dismissal:
    state = ReviewState.of(case)
    [finding] = [row for part in state.parts for row in part.findings]
    assert isinstance(finding, results.Hit)
    until: datetime | None = now() + timedelta(hours=hours) if hours else None
    key = state.dismissed.key(finding)
    reason = "Born in another year."
    row = dismissals.dismiss(
        case, finding, key=key, actor=ana, reason=reason, until=until
    )
    tasks.rate_cases()
    return row


def label(case: Case) -> str:
    rows = newest(case).result["contributions"]
    [row] = [row for row in rows if row["factor"] == "sanctions"]
    return str(row["label"])


def later(hours: int) -> None:
    with travel(now() + timedelta(hours=hours)):
        dismissal_ends.end_due(due_messages.QUEUE)
    # SQLite takes the time of due rows from this machine.
    RatingState.objects.exclude(due_at=None).update(due_at=now())
    tasks.rate_cases()


def test_the_rating_rises_on_the_day_and_the_approval_is_taken_back(agent, ana):
    case = clean(agent, 1, hit("strong"))
    dismiss(case, ana, hours=2)
    assert label(case) == "cleared"
    decide(case, ana)
    later(1)
    assert (label(case), case.events.filter(what="dismissal_ended").count()) == (
        "cleared",
        0,
    )
    later(3)
    case.refresh_from_db()
    assert (label(case), case.get_risk_band_display()) == ("strong", "High")
    assert (case.status, case.alarm, case.analyst) == ("to_review", WORDS, ana)
    assert Notification.objects.filter(to=ana, case=case, kind="alarm").count() == 1
    assert case.events.filter(what="dismissal_ended").count() == 1
    trail.seal_all()
    assert not [row for row in verification.faults() if "dismissal" in row]
    later(4)
    assert case.events.filter(what="dismissal_ended").count() == 1


def test_of_a_customer_only_the_newest_approval_is_taken_back(agent, ana):
    first = clean(agent, 1, hit("strong"))
    dismiss(first, ana, hours=2)
    decide(first, ana)
    second = clean(agent, 1, hit("strong"))
    assert label(second) == "cleared"
    decide(second, ana)
    later(3)
    for case, status in ((first, "decided"), (second, "to_review")):
        case.refresh_from_db()
        assert (case.status, label(case)) == (status, "strong")


def test_a_rejected_case_stays_as_it_is(agent, ana):
    case = clean(agent, 1, hit("strong"))
    dismiss(case, ana, hours=2)
    decide(case, ana, "reject")
    later(3)
    case.refresh_from_db()
    assert case.status == "decided"


def test_an_approval_stays_where_the_finding_was_dismissed_anew(agent, ana):
    first = clean(agent, 1, hit("strong"))
    dismiss(first, ana, hours=2)
    second = clean(agent, 1, hit("strong"))
    dismiss(second, ana)
    decide(second, ana)
    later(3)
    second.refresh_from_db()
    assert (second.status, label(second)) == ("decided", "cleared")


def test_a_dismissal_rates_the_other_cases_with_the_finding_too(agent, ana):
    first, second = (clean(agent, 1, hit("strong")) for _ in range(2))
    row = dismiss(first, ana)
    assert label(second) == "cleared"
    dismissals.take_back(row, actor=ana)
    tasks.rate_cases()
    assert label(second) == "strong"


def test_an_approval_after_the_end_stays(agent, ana):
    """Whoever approved then has seen the finding: an earlier version ended nothing on the day."""
    case = clean(agent, 1, hit("strong"))
    row = dismiss(case, ana, hours=2)
    decide(case, ana)
    Dismissal.objects.filter(pk=row.pk).update(until=now() - timedelta(days=1))
    later(3)
    case.refresh_from_db()
    assert (case.status, case.alarm) == ("decided", "")
    assert case.events.filter(what="dismissal_ended").count() == 1
