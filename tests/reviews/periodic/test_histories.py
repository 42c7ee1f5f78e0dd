"""Over generated histories no review opens later than its date, and each opens one case.

The date is computed a second time here, from the history and not from the database.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reviews.audit import trail
from reviews.models import Case, CaseEvent, PartyRelation, PeriodicReview
from reviews.parties import relations
from reviews.periodic.dates import DAYS_AFTER_RELATION
from reviews.risk.engine.default import DEFAULT
from tests.reviews.periodic.rows import (
    COMPANY,
    approve,
    rate,
    review_of,
    submitted,
    work,
    work_until,
)
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
START = datetime(2030, 1, 1, 12, tzinfo=UTC)
BANDS = ("low", "medium", "high", "prohibited")
DAYS = DEFAULT["review_days"]
band_steps = st.tuples(st.just("band"), st.sampled_from(BANDS))
steps = st.one_of(
    band_steps,
    band_steps,
    st.tuples(st.just("relation"), st.just("")),
    st.tuples(st.just("alarm"), st.just("")),
    st.tuples(st.just("again"), st.just("")),
    # How many days after the day on which it is entered a relation ends.
    st.tuples(st.just("end"), st.sampled_from(["-400", "-1", "0", "1", "40"])),
)
# Each step some days after the one before it, worked at once or only when the row is due.
histories = st.lists(st.tuples(st.integers(0, 700), steps, st.booleans()), max_size=5)
expiry = st.one_of(st.none(), st.integers(1, 2_500))


class History:
    """A customer, and the date by which a review must have opened, by these tests' own count."""

    def __init__(self, band: str, expires: int | None) -> None:
        self.moment = START
        self.expires = START.date() + timedelta(days=expires) if expires else None
        data: dict[str, Any] = dict(COMPANY)
        if self.expires:
            data["expiry_date"] = self.expires.isoformat()
        owner = {"business_name": "Mid GmbH", "registration_number": "HRB 777",
                 "country": "DE"}  # fmt: skip
        with self._now():
            self.actor = someone("analyst")
            self.case = submitted({**data, "owners": [owner]})
            self.other = submitted(
                {
                    "business_name": "Mid GmbH",
                    "business_registration_number": "HRB 777",
                    "address_of_incorporation": {"country_code": "DE"},
                }
            )
            rate(self.case, band)
            approve(self.case)
        self.approved_on = self.moment.date()
        self.band = band
        self.others: list[date] = []
        # The last day of the owner, and the day on which it was entered, if that was after the approval.
        self.until: date | None = None
        self.entered: date | None = None

    def _now(self) -> Any:
        return time_machine.travel(self.moment, tick=False)

    @property
    def date(self) -> date:
        """When the review must be there, by all that has happened until now."""
        days = [self.approved_on + timedelta(days=DAYS[self.band]), *self.others]
        if self.expires and self.expires > self.approved_on:
            days.append(self.expires)
        ended = self.entered
        if self.until and self.until > self.approved_on:
            ended = self.until
        if ended:
            days.append(ended + timedelta(days=DAYS_AFTER_RELATION))
        return min(days)

    def do(self, days: int, step: tuple[str, str], *, is_worked: bool) -> None:
        # A second later: what comes in the very moment of an approval is neither before nor after it.
        self.moment += timedelta(days=days, seconds=1)
        work_until(self.moment)
        if self.opened:
            return
        assert self.date > self.moment.date()
        what, band = step
        with self._now():
            getattr(self, f"_{what}")(band)
            if is_worked:
                work()

    def _band(self, band: str) -> None:
        rate(self.case, band)
        self.band = band

    def _relation(self, _: str) -> None:
        result = self.case.case_parties.get(place="subject").party
        relations.add(
            self.case,
            actor=self.actor,
            held=result,
            kind="owner",
            name=f"Person {len(self.others)}",
        )
        day = self.moment.date() + timedelta(days=DAYS_AFTER_RELATION)
        self.others.append(day)

    def _end(self, days: str) -> None:
        if self.until:
            return
        self.entered = self.moment.date()
        self.until = self.entered + timedelta(days=int(days))
        relation = PartyRelation.objects.get(holder__case=self.case, source="attested")
        relations.end(relation, actor=self.actor, until=self.until)

    def _alarm(self, _: str) -> None:
        trail.record(self.other, "alarm", {}, actor=CaseEvent.Actor.AGENT)
        self.others.append(self.moment.date())

    def _again(self, _: str) -> None:
        """Reopened, and approved again with all that is known: the count begins anew."""
        # So that what happened before lies before the approval.
        self.moment += timedelta(seconds=1)
        with time_machine.travel(self.moment, tick=False):
            for decision in self.case.decisions.filter(status="standing"):
                decision.move("reopened")
                trail.record(self.case, "reopened", {}, about=[decision])
            approve(self.case)
        self.approved_on = self.moment.date()
        self.others = []
        self.entered = None

    @property
    def opened(self) -> PeriodicReview | None:
        rows = PeriodicReview.objects.filter(case=self.case)
        return rows.filter(status="opened").first()


@settings(max_examples=20, deadline=None)
@example("low", None, [(1, ("band", "high"), True)])
@example("low", None, [(0, ("relation", ""), False)])
@example("low", 900, [(500, ("again", ""), False)])
@example("low", None, [(9, ("end", "-400"), True)])
@example("low", None, [(9, ("end", "40"), True), (1, ("again", ""), True)])
@given(st.sampled_from(BANDS), expiry, histories)
def test_none_opens_later_than_its_date(band, expires, events):
    with transaction.atomic():
        _check(band, expires, events)
        transaction.set_rollback(True)


def _check(band: str, expires: int | None, events: Any) -> None:
    history = History(band, expires)
    for days, step, is_worked in events:
        if history.opened:
            break
        history.do(days, step, is_worked=is_worked)
    # The longest time until the next one, whatever happened.
    last, deadline = history.moment, max(history.date, history.moment.date())
    work_until(last + timedelta(days=1830))
    review = review_of(history.case)
    assert review.status == "opened"
    opened_at, opened = review.opened_at, review.opened_case
    assert opened_at is not None
    assert opened is not None
    assert opened_at.date() <= deadline
    cases = Case.objects.exclude(pk__in=[history.case.pk, history.other.pk])
    assert cases.filter(review_of__case=history.case).count() == 1
