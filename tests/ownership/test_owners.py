"""Beneficial owners: by share, by control, and what is said of what is not known."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from ownership.gaps import Gap
from ownership.graph import Control, Graph, Holding
from ownership.owners import OwnerPolicy, Reason, ownership
from ownership.shares import UNKNOWN, Interval, percent, words
from tests.ownership.graphs import graphs


def exactly(owner: int, owned: int, share: str) -> Holding:
    return Holding(owner, owned, Interval.exactly(share))


def by_party(result):
    return {owner.party: owner for owner in result.owners}


def test_a_quarter_over_two_chains_is_an_owner():
    graph = Graph(
        frozenset({0, 1}),
        (
            exactly(0, 2, "1/2"),
            exactly(1, 2, "1/2"),
            exactly(2, 4, "2/5"),
            exactly(0, 4, "1/20"),
            exactly(1, 4, "11/20"),
        ),
    )
    result = ownership(graph, 4)
    assert by_party(result)[0].share == Interval.exactly("1/4")
    assert by_party(result)[0].certain == (Reason.OWNERSHIP,)
    assert result.is_complete
    assert result.unattributed == 0
    stricter = ownership(graph, 4, OwnerPolicy(is_more_than=True))
    assert 0 not in by_party(stricter)
    assert [owner.party for owner in stricter.holders] == [0]


def test_a_majority_at_each_level_controls_with_less_than_a_quarter():
    graph = Graph(
        frozenset({0, 1}),
        (
            exactly(0, 2, "51/100"),
            exactly(2, 3, "51/100"),
            exactly(3, 4, "51/100"),
            exactly(1, 4, "49/100"),
        ),
    )
    owner = by_party(ownership(graph, 4))[0]
    assert owner.share == Interval.exactly(Fraction(51**3, 100**3))
    assert Reason.OWNERSHIP not in owner.certain
    assert owner.certain == (
        Reason.CONTROL,
        Reason.CONTROLLED_OWNERS,
        Reason.OWNS_CONTROLLER,
    )
    assert [step.business for step in owner.steps] == [2, 3, 4]


def test_who_controls_owners_of_a_quarter_is_an_owner():
    """AMLR, article 54: 30 % of the target by a business of which somebody has 60 %: 18 %."""
    graph = Graph(frozenset({0}), (exactly(0, 2, "3/5"), exactly(2, 4, "3/10")))
    owner = by_party(ownership(graph, 4))[0]
    assert owner.share == Interval.exactly("9/50")
    assert owner.certain == (Reason.CONTROLLED_OWNERS,)


def test_who_owns_a_quarter_of_the_controller_is_an_owner():
    graph = Graph(
        frozenset({0, 1}),
        (exactly(0, 2, "3/10"), exactly(1, 2, "7/10"), exactly(2, 4, "3/5")),
    )
    owner = by_party(ownership(graph, 4))[0]
    assert owner.share == Interval.exactly("9/50")
    assert owner.certain == (Reason.OWNS_CONTROLLER,)


def test_control_by_other_means():
    graph = Graph(frozenset({0}), (), (Control(0, 4, "appoints the board"),))
    owner = by_party(ownership(graph, 4))[0]
    assert owner.certain == (Reason.CONTROL,)
    assert owner.steps[0].means == ("appoints the board",)


def test_votes_apart_from_capital():
    holding = Holding(0, 4, Interval.exactly("1/10"), Interval.exactly("3/5"))
    owner = by_party(ownership(Graph(frozenset({0}), (holding,)), 4))[0]
    assert owner.share == Interval.exactly("1/10")
    assert owner.certain == (Reason.CONTROL,)


def test_an_unknown_share_is_a_possible_owner():
    graph = Graph(frozenset({0, 1}), (exactly(0, 4, "3/5"), Holding(1, 4)))
    result = ownership(graph, 4)
    assert by_party(result)[1].possible == (Reason.OWNERSHIP,)
    assert not by_party(result)[1].is_certain
    assert [(u.business, u.gap, u.share) for u in result.unknown] == [
        (4, Gap.SHARE, Fraction(2, 5))
    ]


@pytest.mark.parametrize(
    ("holdings", "business", "gap", "share"),
    [
        ((exactly(2, 4, "1/2"), exactly(0, 4, "1/2")), 2, Gap.NO_OWNER, "1/2"),
        ((exactly(0, 4, "3/4"),), 4, Gap.PART, "1/4"),
        # The other half of 2 is held by 2 itself, through 3.
        (
            (exactly(2, 4, "1"), exactly(3, 2, "1/2"), exactly(2, 3, "1")),
            2,
            Gap.PART,
            "1",
        ),
        (
            (exactly(2, 4, "1"), exactly(3, 2, "1"), exactly(2, 3, "1")),
            2,
            Gap.CYCLE,
            "1",
        ),
        ((exactly(0, 4, "3/5"), exactly(1, 4, "3/5")), 4, Gap.OVERSTATED, "1"),
    ],
)
def test_what_is_not_known_is_said(holdings, business, gap, share):
    result = ownership(Graph(frozenset({0, 1}), holdings), 4)
    assert not result.is_complete
    assert (business, gap, Fraction(share)) in [
        (u.business, u.gap, u.share) for u in result.unknown
    ]


def test_nothing_known_hides_owners():
    result = ownership(Graph(), 4)
    assert result.owners == ()
    assert result.unattributed == 1
    assert result.may_hide_owner


def test_who_stands_behind_a_controller_is_asked_for():
    graph = Graph(frozenset({0}), (exactly(0, 4, "1"),), (Control(2, 4, "trustee"),))
    result = ownership(graph, 4)
    assert [(u.business, u.gap) for u in result.unknown] == [(2, Gap.NO_OWNER)]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_what_is_known_and_what_is_not_make_the_whole(graph):
    for target in range(2, 6):
        result = ownership(graph, target)
        people = [*result.owners, *result.holders]
        assert sum(p.share.low for p in people) + result.unattributed == 1
        if result.is_complete:
            assert result.unattributed == 0
            assert all(person.share.is_exact for person in people)
        for owner in result.owners:
            assert owner.certain or owner.possible
            if Reason.OWNERSHIP in owner.certain:
                assert owner.share.low >= Fraction(1, 4)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ("1/3", "33.33 %"),
        ("1/2", "50 %"),
        ("500001/1000000", "more than 50 %"),
        ("499999/1000000", "less than 50 %"),
        ("1/8", "12.5 %"),
        ("1", "100 %"),
    ],
)
def test_a_share_in_words(share, text):
    assert percent(Fraction(share)) == text


def test_an_interval_in_words():
    assert words(Interval.of(0, 1)) == "not known"
    assert words(Interval.of(0, "1/4")) == "at most 25 %"
    assert words(Interval.of("1/4", 1)) == "at least 25 %"
    assert words(Interval.of("1/4", "1/2")) == "25 % to 50 %"
    assert words(Interval.exactly("1/4")) == "25 %"


def test_a_majority_owner_with_a_gap_concerns_its_share_alone():
    graph = Graph(
        frozenset({0, 1}),
        (exactly(0, 4, "2/5"), exactly(2, 4, "3/5"), exactly(1, 2, "4/5")),
    )
    result = ownership(graph, 4)
    assert [(u.business, u.gap, u.share) for u in result.unknown] == [
        (2, Gap.PART, Fraction(3, 25))
    ]


def test_what_a_business_holds_of_itself_belongs_to_its_other_owners():
    """Ten percent are own shares: 22.5 of the other ninety are a quarter."""
    ann, target = 0, 1
    holdings = (
        Holding(ann, target, Interval.exactly("9/40")),
        Holding(target, target, Interval.exactly("1/10")),
    )
    answer = ownership(Graph(frozenset({ann}), holdings), target)
    (owner,) = answer.owners
    assert owner.share == Interval.exactly("1/4")
    assert owner.is_certain
    assert answer.unattributed == Fraction(3, 4)


def test_a_majority_of_the_votes_is_counted_without_own_shares():
    ann, target = 0, 1
    holdings = (
        Holding(ann, target, Interval.exactly("46/100")),
        Holding(target, target, Interval.of("5/100", "10/100")),
    )
    answer = ownership(Graph(frozenset({ann}), holdings), target)
    (owner,) = answer.owners
    assert owner.share == Interval.of("46/95", "46/90")
    assert Reason.CONTROL in owner.possible


@pytest.mark.parametrize("share", [Interval.exactly(1), UNKNOWN])
def test_a_business_that_may_hold_all_of_itself_has_no_known_owner(share):
    answer = ownership(Graph(frozenset(), (Holding(1, 1, share),)), 1)
    assert answer.owners == ()
    assert answer.unattributed == 1
    assert answer.unknown
