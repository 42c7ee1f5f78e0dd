"""Ratings that make others due: the work ends, however many lead to one another."""

from __future__ import annotations

import pytest

from reviews import tasks
from reviews.intake import cases
from reviews.models import Case, RatingState
from reviews.risk import ratings, schedule
from reviews.risk.ownership import below
from tests.factories import make_agent, make_connection
from tests.reviews.risk.test_ownership import company, owner

pytestmark = pytest.mark.django_db
COMPANIES = 12


def drain() -> int:
    """Rate until nothing is due. The task of the product ends after some seconds, which a busy machine
    needs for a few cases. Returns the number of ratings.
    """
    return tasks.RATINGS.drain(seconds=3600)


@pytest.fixture
def siblings() -> list[Case]:
    """Companies of one owner: what changes the owners of one may change those of all."""
    agent = make_agent(make_connection())
    opened = []
    for number in range(COMPANIES):
        data = company(number, owner(99, 60))
        subject = cases.subject_of(data)
        case = cases.submit(
            actor=None, agent=agent, subject=subject, data=data, documents=[]
        )
        opened.append(case)
    Case.objects.update(status=Case.Status.TO_REVIEW)
    for case in opened:
        schedule.rate(case)
    drain()
    assert not RatingState.objects.exclude(due_at=None).exists()
    return opened


def test_each_is_rated_twice_at_most_when_all_lead_to_all(siblings):
    for case in siblings:
        schedule.rate(case, spreads=True)
    # Once for its own event, once for what the last of the others brought.
    assert drain() <= 2 * COMPANIES
    assert not RatingState.objects.exclude(due_at=None).exists()


def test_two_that_are_rated_at_the_same_time_do_not_keep_each_other_due(
    siblings, monkeypatch
):
    """Each makes the other due while that one is rated. Only an event asks for that again."""
    first, second = (RatingState.objects.get(case=case) for case in siblings[:2])
    schedule.rate(siblings[0], spreads=True)
    (row,) = tasks.RATINGS.claim()
    claimed = RatingState.objects.get(pk=row.pk)
    assert claimed.pk == first.pk
    below_of = below.rate

    def rate(case, *, heartbeat):
        below_of(case, heartbeat=heartbeat)
        # What another worker does at this moment with the other case.
        schedule.rate_cases([first.case_id])

    monkeypatch.setattr(below, "rate", rate)
    ratings.advance(claimed)
    first.refresh_from_db()
    assert first.due_at is not None
    assert not first.spreads
    assert second.case_id != first.case_id


def test_an_event_during_the_work_is_passed_on(siblings, monkeypatch):
    schedule.rate(siblings[0], spreads=True)
    (row,) = tasks.RATINGS.claim()
    claimed = RatingState.objects.get(pk=row.pk)
    below_of = below.rate

    def rate(case, *, heartbeat):
        below_of(case, heartbeat=heartbeat)
        schedule.rate(case, spreads=True)

    monkeypatch.setattr(below, "rate", rate)
    ratings.advance(claimed)
    claimed.refresh_from_db()
    assert claimed.due_at is not None
    assert claimed.spreads
