"""Merges that were wrong: whatever came in between, all of it is where it belongs after they are undone.

Histories are made from a seed and compared with a model that knows only who was joined with whom.
"""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.findings import related_cases
from reviews.intake import cases
from reviews.models import (
    Case,
    CaseParty,
    LookUp,
    Party,
    PartyMerge,
    PartyRelation,
    Team,
)
from reviews.parties import profile, recording, relations, shares, structure, visibility
from reviews.parties.merges import interim, merging, separating
from reviews.parties.merges.merging import MergeError
from reviews.parties.relations import RelationError
from reviews.privacy import erasing
from tests.factories import make_agent, make_connection
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent():
    return make_agent(make_connection())


@pytest.fixture
def actor():
    return someone("analyst")


def submit(agent, number: int, **more: Any):
    """A case about the company of this number, with one owner."""
    data = {
        "business_name": f"Acme {number} Ltd",
        "lei": f"5299000000000000{number:04}",
        "wallet_address": f"bc1qexample{number:04}",
        "owners": [{"full_name": f"Owner of{number}", "percentage": 60}],
        **more,
    }
    subject = cases.subject_of(data)
    return cases.submit(
        actor=None, agent=agent, subject=subject, data=data, documents=[]
    )


def party_of(case) -> Party:
    return CaseParty.objects.get(case=case, place="subject").party


def merge(first, second, actor) -> PartyMerge:
    rows = Party.objects.in_bulk([first.pk, second.pk])
    return merging.merge(
        rows[first.pk], rows[second.pk], actor=actor, reason="Same number."
    )


def undo(row, actor) -> None:
    merging.undo(row, actor=actor, reason="Another number.")


def page_of(actor, party):
    """What the page of a party shows: names, numbers, cases and owners."""
    head = visibility.party(actor, party.pk)
    read = profile.read(actor, head)
    around = structure.around(actor, head)
    holders = set()
    for edge in around.edges:
        for row in edge.rows:
            holders.add((row.holder_id, row.held_id, row.share_min))
    return (
        {line.value for line in (*read.names, *read.identifiers)},
        {link.pk for link in read.links},
        holders,
    )


class Model:
    """Who was joined with whom. Parties are joined if standing merges connect them."""

    def __init__(self) -> None:
        self.standing: dict[int, tuple[int, int]] = {}

    def group(self, key: int) -> set[int]:
        group = {key}
        while True:
            larger = {
                other
                for pair in self.standing.values()
                if group & set(pair)
                for other in pair
            }
            if larger <= group:
                return group
            group |= larger


class History:
    """Acts on five parties, in an order that the seed draws, in the product and in the model."""

    def __init__(self, agent, actor, seed: int) -> None:
        self.agent, self.actor = agent, actor
        self.rng = random.Random(seed)  # noqa: S311
        self.model = Model()
        self.parties: list[Party] = []
        # party → the links of its cases
        self.links: dict[int, set[int]] = {}
        # link → the party before, and its own
        self.separated: dict[int, tuple[int, int]] = {}
        for number in range(5):
            case = submit(agent, number)
            self.parties.append(party_of(case))
            self.links[self.parties[-1].pk] = {subject_link(case)}

    def act(self) -> None:
        number = self.rng.randrange(5)
        acts = [
            self.merge, self.merge, self.undo, self.submit, self.rename, self.erase,
            self.separate, self.put_back,
        ]  # fmt: skip
        self.rng.choice(acts)(number)

    def merge(self, number: int) -> None:
        party, other = self.parties[number], self.rng.choice(self.parties)
        try:
            row = merge(party, other, self.actor)
        except MergeError:
            assert other.pk in self.model.group(party.pk)
        except PermissionDenied:
            assert not self.links[party.pk] or not self.links[other.pk]
        else:
            self.model.standing[row.pk] = (party.pk, other.pk)

    def undo(self, _: int) -> None:
        if not self.model.standing:
            return
        key = self.rng.choice(list(self.model.standing))
        try:
            undo(PartyMerge.objects.get(pk=key), self.actor)
        except PermissionDenied:
            # Only where both were erased: nobody sees them.
            assert not any(self.links[one] for one in self.model.standing[key])
        else:
            del self.model.standing[key]

    def submit(self, number: int) -> None:
        party = self.parties[number]
        if self.links[party.pk]:
            # The number leads to its own party, whoever that is joined with.
            case = submit(self.agent, number, trade_name=f"Trade {self.rng.random()}")
            self.links[party.pk].add(subject_link(case))
            assert party_of(case) == party

    def rename(self, number: int) -> None:
        if links := self.links[self.parties[number].pk]:
            case = CaseParty.objects.get(pk=max(links)).case
            name = f"New {number} AG"
            case.self_attested_data = {**case.self_attested_data, "business_name": name}
            case.save()
            # The product never changes the data of a case: their identifiers stay.
            case.identifiers.all().delete()
            related_cases.store_identifiers(case)
            recording.record_with_line(case)
            trail.record(case, "imported", about=[case])

    def erase(self, number: int) -> None:
        links = self.links[self.parties[number].pk]
        if links and self.rng.random() < 0.5:
            erasing.erase(CaseParty.objects.get(pk=links.pop()).case, at=now())

    def separate(self, number: int) -> None:
        party = self.parties[number]
        links = self.links[party.pk]
        if len(links) < 2:
            return
        link = CaseParty.objects.get(pk=self.rng.choice(sorted(links)))
        own = separating.separate(link, actor=self.actor, reason="A typing error.")
        links.discard(link.pk)
        self.separated[link.pk] = (party.pk, own.pk)
        self.parties.append(own)
        self.links[own.pk] = {link.pk}

    def put_back(self, _: int) -> None:
        if not self.separated:
            return
        key = self.rng.choice(list(self.separated))
        party, own = self.separated.pop(key)
        if key in self.links[own]:
            link = CaseParty.objects.get(pk=key)
            separating.put_back(link, actor=self.actor, reason="It was right.")
            self.links[own].discard(key)
            self.links[party].add(key)

    def compare(self) -> None:
        for one in self.parties:
            group = self.model.group(one.pk)
            assert Party.objects.get(pk=one.pk).head_id_or_own == min(group)
            expected = {link for key in group for link in self.links[key]}
            if expected:
                assert page_of(self.actor, one)[1] == expected


def subject_link(case) -> int:
    return case.case_parties.get(place="subject").pk


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(8))
def test_generated_histories_of_merges(agent, actor, seed):
    history = History(agent, actor, seed)
    for _ in range(25):
        history.act()
        history.compare()
    trail.seal_all()
    # An erasure of the product has a line about the rows that it empties; here it has none.
    if not Case.objects.exclude(erased_at=None).exists():
        assert list(verification.faults()) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_after_all_are_undone_each_page_is_what_it_was(agent, actor, order):
    one, two, three = (party_of(submit(agent, number)) for number in range(3))
    before = [page_of(actor, party) for party in (one, two, three)]
    rows = [merge(two, three, actor), merge(one, two, actor)]
    whole = page_of(actor, three)
    assert whole[0] == set.union(*(names for names, _, _ in before))
    for number in order:
        undo(rows[number], actor)
    assert [page_of(actor, party) for party in (one, two, three)] == before


def test_what_a_case_states_in_between_is_at_its_own_party(agent, actor):
    one, two = (party_of(submit(agent, number)) for number in range(2))
    row = merge(one, two, actor)
    case = submit(agent, 1, trade_name="Between")
    assert party_of(case) == two
    undo(row, actor)
    assert "Between" in page_of(actor, two)[0]
    assert "Between" not in page_of(actor, one)[0]
    found = interim.between(actor, Party.objects.get(pk=one.pk))
    assert found.cases == (case,)
    assert found.relations == ()


def test_what_came_in_during_two_merges_is_shown_once(agent, actor):
    one, two, three = (party_of(submit(agent, number)) for number in range(3))
    first, second = merge(one, two, actor), merge(two, three, actor)
    earlier, later = submit(agent, 0), submit(agent, 2)
    relation = added(earlier, visibility.party(actor, two.pk), actor)
    look_up = LookUp.objects.create(connection=agent.connection, party=two, by=actor)
    for row in (second, first):
        undo(PartyMerge.objects.get(pk=row.pk), actor)
    found = interim.between(actor, visibility.party(actor, two.pk))
    assert found.cases == (later, earlier)
    assert found.look_ups == (look_up,)
    assert [item.relation for item in found.relations] == [relation]


def added(case, head, actor, name="Cora Dane"):
    return relations.add(
        case,
        actor=actor,
        held=head,
        kind="owner",
        name=name,
        share=shares.read("30 %"),
    )


@pytest.mark.parametrize("is_of_second", [False, True])
def test_a_relation_of_between_is_shown_until_it_is_placed(agent, actor, is_of_second):
    first_case, second_case = submit(agent, 0), submit(agent, 1)
    one, two = party_of(first_case), party_of(second_case)
    row = merge(one, two, actor)
    case = second_case if is_of_second else first_case
    relation = added(case, visibility.party(actor, two.pk), actor)
    undo(row, actor)
    for party in (one, two):
        head = visibility.party(actor, party.pk)
        (unplaced,) = interim.between(actor, head).relations
        assert unplaced.relation == relation
        assert unplaced.parties == (one.pk, two.pk)
        # It was recorded in a case of this party.
        assert unplaced.party == (two if is_of_second else one).pk
    other = one if is_of_second else two
    placed = interim.place(relation, Party.objects.get(pk=other.pk), actor=actor)
    assert placed.held.party == other
    assert (placed.share_min, placed.holder) == (Decimal(30), relation.holder)
    relation.refresh_from_db()
    assert relation.replaced_at is not None
    for party in (one, two):
        head = visibility.party(actor, party.pk)
        assert not interim.between(actor, head).relations
    (edge,) = [
        edge
        for edge in structure.around(actor, visibility.party(actor, other.pk)).edges
        if placed in edge.rows
    ]
    assert edge.held == other.pk
    with pytest.raises(RelationError, match="not among"):
        interim.place(placed, Party.objects.get(pk=one.pk), actor=actor)
    trail.seal_all()
    assert list(verification.faults()) == []


def test_a_relation_that_stays_is_placed_and_nothing_else_changes(agent, actor):
    case = submit(agent, 0)
    one, two = party_of(case), party_of(submit(agent, 1))
    row = merge(one, two, actor)
    relation = added(case, one, actor)
    undo(row, actor)
    assert (
        interim.place(relation, Party.objects.get(pk=one.pk), actor=actor) == relation
    )
    relation.refresh_from_db()
    assert relation.replaced_at is None
    assert not interim.between(actor, visibility.party(actor, one.pk)).relations
    assert PartyRelation.objects.filter(source="analyst").count() == 1


def test_what_was_recorded_before_or_after_is_not_asked_about(agent, actor):
    case = submit(agent, 0)
    one, two = party_of(case), party_of(submit(agent, 1))
    added(case, one, actor, name="Before Lee")
    row = merge(one, two, actor)
    undo(row, actor)
    relation = added(case, one, actor, name="After Lee")
    assert not interim.between(actor, visibility.party(actor, one.pk))
    with pytest.raises(RelationError, match="not among"):
        interim.place(relation, two, actor=actor)


def test_a_merge_on_top_and_a_look_up_are_shown(agent, actor):
    one, two, three = (party_of(submit(agent, number)) for number in range(3))
    wrong = merge(two, three, actor)
    above = merge(one, two, actor)
    connection = agent.connection
    look_up = LookUp.objects.create(connection=connection, party=one, by=actor)
    undo(wrong, actor)
    # The first was joined with both: it may belong to the third.
    for party in (one, three):
        found = interim.between(actor, visibility.party(actor, party.pk))
        assert found.merges == (above,)
        assert found.look_ups == (look_up,)


def test_nothing_is_to_place_while_they_are_joined_again(agent, actor):
    case = submit(agent, 0)
    one, two = party_of(case), party_of(submit(agent, 1))
    row = merge(one, two, actor)
    added(case, one, actor)
    undo(row, actor)
    merge(one, two, actor)
    assert not interim.between(actor, visibility.party(actor, one.pk))


def test_a_merge_with_an_erased_party_can_be_undone(agent, actor):
    one, two = submit(agent, 0), submit(agent, 1)
    first, second = party_of(one), party_of(two)
    row = merge(first, second, actor)
    erasing.erase(one, at=now())
    undo(row, actor)
    assert page_of(actor, second)[0] == {
        "Acme 1 Ltd", "52990000000000000001", "bc1qexample0001"
    }  # fmt: skip
    assert Party.objects.get(pk=second.pk).head is None


def test_another_team_parts_nothing_of_ours(agent, actor):
    one, two = party_of(submit(agent, 0)), party_of(submit(agent, 1))
    row = merge(one, two, actor)
    team = Team.objects.create(name="Ours")
    team.connections.add(agent.connection)
    with pytest.raises(PermissionDenied):
        undo(row, someone("senior"))


@pytest.mark.parametrize("hidden", [0, 1])
def test_who_sees_one_side_of_a_merge_does_not_undo_it(agent, actor, hidden):
    """The head shows the cases of both, so seeing the head proves nothing about its own cases."""
    ours = make_agent(make_connection(slug="ours"), kind="kyb", key="ours")
    agents = [agent, agent]
    agents[hidden] = ours
    parties = [party_of(submit(agents[n], n)) for n in range(2)]
    third = party_of(submit(agent, 2))
    rows = [
        merge(parties[0], parties[1], actor),
        merge(parties[1 - hidden], third, actor),
    ]
    Team.objects.create(name="Ours").connections.add(ours.connection)
    outsider = someone("analyst", username="outsider")
    client = Client()
    client.force_login(outsider)
    page = client.post(f"/parties/merges/{rows[0].pk}/undo/", {"reason": "Another."})
    assert page.status_code == 403
    rows[0].refresh_from_db()
    assert rows[0].undone_at is None
    # Both sides of the other merge are seen.
    undo(rows[1], outsider)


def test_a_person_is_not_joined_with_a_company_through_a_third(agent, actor):
    data = {
        "business_name": "Acme Ltd",
        "owners": [
            {"name": "Solo", "percentage": 30},
            {"full_name": "Ann Lee", "percentage": 30},
        ],
    }
    case = cases.submit(
        actor=None, agent=agent, subject="Acme Ltd", data=data, documents=[]
    )
    at = {link.place: link.party for link in case.case_parties.all()}
    assert at["owners/0"].kind == Party.Kind.UNKNOWN
    merge(at["owners/0"], at["owners/1"], actor)
    # Joined with a person, it is one: owners of "person or company" are not known.
    (owner,) = structure.around(actor, at["subject"]).ownership().owners
    assert owner.party == at["owners/0"].pk
    assert visibility.party(actor, at["owners/0"].pk).kind == Party.Kind.PERSON
    with pytest.raises(MergeError, match="no"):
        merge(at["owners/0"], at["subject"], actor)


def test_reviews_of_all_parties_of_a_merge_follow_when_it_is_undone(agent, actor):
    """A merge of others stands: its party loses the news of the one that is parted, too."""
    from reviews.models import Decision, PeriodicReview

    made = [submit(agent, number) for number in range(3)]
    one, two, three = (party_of(case) for case in made)
    wrong = merge(two, three, actor)
    merge(one, two, actor)
    decision = Decision.objects.create(
        case=made[0], outcome="approve", status="standing", rationale="", made_by=actor
    )
    review = PeriodicReview.objects.create(
        case=made[0], decision=decision, status="waiting", due_at=None
    )
    undo(wrong, actor)
    review.refresh_from_db()
    assert review.due_at is not None
