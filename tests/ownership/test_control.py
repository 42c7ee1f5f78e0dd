"""Control and the rules for listed owners, against all sets that are closed under their definition."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from ownership.chains import chains
from ownership.control import controlled_by, together
from ownership.graph import Control, Graph, Holding
from ownership.listed import EU, OFAC, UK, blocked, could_be_blocked
from ownership.shares import Interval
from tests.ownership.graphs import graphs, subsets

HALF = Fraction(1, 2)


def exactly(owner: int, owned: int, share: str) -> Holding:
    return Holding(owner, owned, Interval.exactly(share))


def smallest_closed_set(graph, first, follows):
    """What every set has in common that holds `first`, and all that follows from the set."""
    others = sorted(set(range(6)) - first)
    closed = []
    for more in subsets(others):
        side = first | more
        if all(n in side or not follows(n, side) for n in others):
            closed.append(side)
    return set.intersection(*closed) - first


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_control_is_the_smallest_set_that_is_closed(graph):
    for holder in range(6):
        for certain in (True, False):

            def follows(n, side, certain=certain):
                result = together(graph.votes.get(n, {}), side)
                share = result.low if certain else result.high
                by_means = any(
                    c.controlled == n and c.controller in side for c in graph.controls
                )
                return share > HALF or by_means

            steps = controlled_by(graph, holder)
            answer = {n for n, s in steps.items() if s.is_certain or not certain}
            assert answer == smallest_closed_set(graph, {holder}, follows)


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_the_half_rule_is_the_smallest_set_that_is_closed(graph):
    listed = {0, 3}

    def follows(n, side):
        return together(graph.capital.get(n, {}), side).low >= HALF

    answer = {n for n, b in blocked(graph, listed).items() if b.is_certain}
    assert answer == smallest_closed_set(graph, listed, follows)
    # Each answer says who holds what, and it adds up.
    for business, result in blocked(graph, listed).items():
        total = sum(share.low for _, share in result.owners)
        assert total == result.together.low
        assert business not in {owner for owner, _ in result.owners}


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_what_is_blocked_could_be_blocked(graph):
    assert set(blocked(graph, {0})) <= could_be_blocked(graph, {0})


def test_two_listed_owners_are_added_and_a_minority_passes_nothing_on():
    """FAQ 401: X owns 25 % of A, and A 50 % of B: B is not blocked. X and Y own 25 % each: it is."""
    graph = Graph(
        frozenset({0, 1}),
        (exactly(0, 2, "1/4"), exactly(2, 3, "1/2"), exactly(1, 4, "1/4")),
    )
    assert blocked(graph, {0}) == {}
    both = Graph(frozenset({0, 1}), (exactly(0, 2, "1/4"), exactly(1, 2, "1/4")))
    assert list(blocked(both, {0, 1})) == [2]
    assert blocked(both, {0, 1})[2].together == Interval.exactly("1/2")
    assert blocked(both, {0, 1}, UK) == {}
    assert blocked(both, {0, 1}, EU) == {}


def test_half_of_half_counts_whole_one_level_down():
    """FAQ 401: X owns 50 % of A, and A 50 % of B: B is blocked, though the product is a quarter."""
    graph = Graph(frozenset({0}), (exactly(0, 2, "1/2"), exactly(2, 3, "1/2")))
    assert list(blocked(graph, {0}, OFAC)) == [2, 3]


def test_direct_and_indirect_shares_are_added():
    """FAQ 401: X owns 50 % of A and 10 % of B; A owns 40 % of B: B is blocked."""
    graph = Graph(
        frozenset({0}),
        (exactly(0, 2, "1/2"), exactly(0, 3, "1/10"), exactly(2, 3, "2/5")),
    )
    assert list(blocked(graph, {0})) == [2, 3]


def test_owners_who_come_to_be_listed_later_are_added():
    """A is blocked at once, C only through B, when A has blocked D: all of them count for D."""
    graph = Graph(
        frozenset({0}),
        (
            exactly(0, 2, "1/2"),
            exactly(2, 3, "1"),
            exactly(3, 4, "1"),
            exactly(2, 5, "1/2"),
            exactly(4, 5, "1/4"),
        ),
    )
    answer = blocked(graph, {0})[5]
    assert answer.together == Interval.exactly("3/4")
    assert [owner for owner, _ in answer.owners] == [2, 4]


def test_control_by_other_means_counts_in_the_eu_and_not_for_ofac():
    graph = Graph(frozenset({0}), (), (Control(0, 2, "director"),))
    assert blocked(graph, {0}, OFAC) == {}
    assert blocked(graph, {0}, EU)[2].means == ("director",)


@settings(max_examples=200, deadline=None)
@given(graphs(has_votes=True))
def test_the_rule_of_the_eu_is_the_smallest_set_that_is_closed(graph):
    listed = {0, 3}

    def follows(n, side):
        by_means = any(
            c.controlled == n and c.controller in side for c in graph.controls
        )
        capital = together(graph.capital.get(n, {}), side).low
        votes = together(graph.votes.get(n, {}), side).low
        return by_means or capital > HALF or votes > HALF

    answer = {n for n, b in blocked(graph, listed, EU).items() if b.is_certain}
    assert answer == smallest_closed_set(graph, listed, follows)


def test_most_votes_control_whatever_the_capital_is():
    """A listed founder has a tenth of the capital and four fifths of the votes."""
    founder = Holding(0, 2, Interval.exactly("1/10"), Interval.exactly("4/5"))
    graph = Graph(frozenset({0, 1}), (founder, exactly(1, 2, "9/10")))
    assert blocked(graph, {0}, OFAC) == {}
    for rule in (EU, UK):
        answer = blocked(graph, {0}, rule)[2]
        assert answer.is_certain
        assert answer.is_by_votes
        assert answer.together == Interval.exactly("4/5")
    # What these votes leave is all that the others can have.
    assert graph.votes[2][1] == Interval(Fraction(0), Fraction(1, 5))
    # Half of the votes is no majority.
    half = Holding(0, 2, Interval.exactly("1/10"), Interval.exactly("1/2"))
    assert blocked(Graph(frozenset({0}), (half,)), {0}, EU) == {}


def test_an_unknown_share_of_a_listed_owner_is_not_certain():
    graph = Graph(frozenset({0, 1}), (Holding(0, 2), exactly(1, 2, "1/4")))
    assert not blocked(graph, {0})[2].is_certain


def test_a_part_without_an_owner_could_be_of_a_listed_one():
    graph = Graph(frozenset({0, 1}), (exactly(1, 2, "2/5"),))
    assert blocked(graph, {0}) == {}
    assert could_be_blocked(graph, {0}) == {2}
    item = Graph(frozenset({0, 1}), (exactly(1, 2, "3/5"),))
    assert could_be_blocked(item, {0}) == set()


def test_chains_explain_a_share():
    graph = Graph(
        frozenset({0}),
        (exactly(0, 2, "1/2"), exactly(2, 4, "1/2"), exactly(0, 4, "1/10")),
    )
    result = chains(graph, 0, 4)
    assert result.is_all
    assert [(c.parties, c.share.low) for c in result.chains] == [
        ((0, 2, 4), Fraction(1, 4)),
        ((0, 4), Fraction(1, 10)),
    ]


@settings(max_examples=100, deadline=None)
@given(graphs(exact=True, cycles=False, parties=8))
def test_without_cycles_the_chains_add_up_to_the_share(graph):
    from ownership.owners import share_of

    for target in range(2, 8):
        result = chains(graph, 0, target)
        if result.is_all:
            total = sum(chain.share.low for chain in result.chains)
            assert total == share_of(graph, 0, target).low
