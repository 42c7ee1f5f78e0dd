"""Every stored rating is the one that a new reading of the facts gives, whatever has happened."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.findings import dismissals, matches
from reviews.models import (
    Agent,
    Dismissal,
    PartyMerge,
    RatingState,
    RiskPolicy,
)
from reviews.parties.merges import merging
from reviews.people import due_messages
from reviews.periodic import dismissal_ends
from reviews.risk import ratings, reading, verification
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import Policy
from tests.clocks import travel
from tests.factories import make_agent, make_connection
from tests.reviews.risk.test_batches import put_in_force, work
from tests.reviews.risk.test_ownership import hit_of, listed, party_of, submit
from tests.reviews.rows import one_person, someone

pytestmark = pytest.mark.django_db
ACTS = 14


def others() -> list[int]:
    """The cases whose stored rating is another one than their facts give now."""
    differ = []
    for state in RatingState.objects.select_related("case", "rating", "policy"):
        read = reading.inputs_of(state.case)
        rating = state.rating
        assert rating is not None
        stored = ratings.by_version(rating, RiskPolicy.objects.get(status="live"))
        is_same = (stored["score"], stored["band"]) == (rating.score, rating.band)
        if rating.inputs != read.inputs.to_json() or not is_same:
            differ.append(state.case_id)
    return differ


class History:
    """Acts in an order that the seed draws. Some are not possible when their turn comes."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311
        self.actor: User = someone("analyst")
        named = {"business_name": "Company 11 Ltd", "percentage": 70}
        self.held = [
            submit(agent, 1, named),
            submit(agent, 2, {"business_name": "Company 1 Ltd", "percentage": 60}),
            submit(agent, 3, {"business_name": "Company 12 Ltd", "percentage": 55}),
        ]
        self.listed = [listed(agent, 11), listed(agent, 12)]
        self.cases = [*self.held, *self.listed]
        self.moment = now()

    def act(self) -> None:
        acts: list[Callable[[], None]] = [
            self.merge, self.merge, self.undo, self.dismiss, self.confirm, self.take_back,
            self.time_passes, self.policy,
        ]  # fmt: skip
        self.rng.choice(acts)()

    def merge(self) -> None:
        case = self.rng.choice(self.held)
        named = case.case_parties.get(role="owner")
        other = party_of(self.rng.choice(self.cases))
        try:
            merging.merge(named.party, other, actor=self.actor, reason="Same.")
        except merging.MergeError:
            return

    def undo(self) -> None:
        standing = list(PartyMerge.objects.filter(undone_at=None).order_by("pk"))
        if standing:
            row = self.rng.choice(standing)
            merging.undo(row, actor=self.actor, reason="Others.")

    def dismiss(self) -> None:
        case = self.rng.choice(self.listed)
        state, finding = hit_of(case)
        until = self.moment + timedelta(days=self.rng.randint(1, 3))
        key = state.dismissed.key(finding)
        try:
            dismissals.dismiss(
                case, finding, key=key, actor=self.actor, reason="Another.", until=until
            )
        except ValueError:
            # It is confirmed.
            return

    def confirm(self) -> None:
        case = self.rng.choice(self.listed)
        _, finding = hit_of(case)
        try:
            matches.confirm(case, finding, actor=self.actor)
        except ValueError:
            # It is dismissed.
            return

    def take_back(self) -> None:
        row = Dismissal.objects.filter(taken_back_at=None).order_by("pk").first()
        if row is not None:
            dismissals.take_back(row, actor=self.actor)

    def time_passes(self) -> None:
        self.moment += timedelta(days=2)
        with travel(self.moment):
            dismissal_ends.end_due(due_messages.QUEUE)

    def policy(self) -> None:
        content = Policy.from_json(DEFAULT).to_json()
        for row in content["overrides"]:
            if row["factor"] == "ownership":
                row["band"] = self.rng.choice(["high", "prohibited"])
        put_in_force(content)


@pytest.mark.parametrize("seed", range(3))
def test_no_stored_rating_differs_from_one_of_the_present_facts(seed):
    one_person()
    history = History(make_agent(make_connection()), seed)
    assert others() == []
    for _ in range(ACTS):
        history.act()
        RatingState.objects.exclude(due_at=None).update(due_at=now())
        work()
        assert others() == []
        assert list(verification.faults()) == []
