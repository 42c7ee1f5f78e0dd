"""Computed shares against sums over all chains, on generated graphs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from ownership.chances import arrivals, greatest, smallest
from ownership.graph import Graph, GraphError, Holding
from ownership.owners import share_of
from ownership.shares import Interval
from tests.ownership.graphs import exact_parts, graphs, paths, walks

HALF = Interval.exactly("1/2")
ALL = Interval.exactly(1)


def lows(graph: Graph) -> dict[int, dict[int, Fraction]]:
    return {
        owned: {owner: share.low for owner, share in row.items()}
        for owned, row in graph.capital.items()
    }


@settings(max_examples=300, deadline=None)
@given(graphs(exact=True, cycles=False, parties=9, owners=4))
def test_without_cycles_it_is_the_exact_sum_over_all_chains(graph):
    for holder in range(9):
        values = arrivals(lows(graph), holder)
        for target in range(9):
            assert values.get(target, 0) == paths(lows(graph), holder, target)


@settings(max_examples=200, deadline=None)
@given(graphs(exact=True, parties=7))
def test_with_cycles_it_is_the_limit_of_all_chains(graph):
    for holder in range(7):
        values = arrivals(lows(graph), holder)
        for target in range(7):
            expected = walks(lows(graph), holder, target)
            assert float(values.get(target, 0)) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=200, deadline=None)
@given(graphs(parties=5))
def test_the_bounds_are_the_least_and_most_of_all_corners(graph):
    for holder in range(5):
        low = smallest(graph.capital, holder)
        high = greatest(graph.capital, holder)
        corners = [arrivals(parts, holder) for parts in exact_parts(graph)]
        corners.append(low)
        for target in range(5):
            values = [corner.get(target, Fraction(0)) for corner in corners]
            assert low.get(target, Fraction(0)) == min(values)
            assert high.get(target, Fraction(0)) == max(values)


def test_ten_levels_are_exact():
    third = Interval.exactly("1/3")
    holdings = tuple(Holding(n, n + 1, third) for n in range(10))
    graph = Graph(frozenset({0}), holdings)
    assert share_of(graph, 0, 10) == Interval.exactly(Fraction(1, 3**10))


def test_a_business_that_owns_a_part_of_itself_leaves_its_owner_the_whole():
    graph = Graph(frozenset({0}), (Holding(0, 1, HALF), Holding(1, 1, HALF)))
    assert share_of(graph, 0, 1) == ALL


def test_businesses_that_own_each_other_belong_to_who_stands_outside():
    graph = Graph(
        frozenset({0}),
        (
            Holding(0, 1, Interval.exactly("1/10")),
            Holding(2, 1, Interval.exactly("9/10")),
            Holding(1, 2, ALL),
        ),
    )
    assert share_of(graph, 0, 1) == ALL
    assert share_of(graph, 0, 2) == ALL


def test_a_cycle_with_nobody_outside_ends():
    graph = Graph(frozenset({0}), (Holding(1, 2, ALL), Holding(2, 1, ALL)))
    assert share_of(graph, 0, 1) == Interval.exactly(0)


def test_several_holdings_of_the_same_parties_are_added():
    graph = Graph(frozenset({0}), (Holding(0, 1, HALF), Holding(0, 1, HALF)))
    assert share_of(graph, 0, 1) == ALL


def test_an_unknown_share_is_at_most_what_the_others_leave():
    holding = Holding(0, 2, Interval.exactly("3/5"))
    graph = Graph(frozenset({0, 1}), (holding, Holding(1, 2)))
    assert share_of(graph, 0, 2) == Interval.exactly("3/5")
    assert share_of(graph, 1, 2) == Interval.of(0, "2/5")


def test_more_than_the_whole_is_an_interval_for_everybody():
    share = Interval.exactly("3/5")
    graph = Graph(frozenset({0, 1}), (Holding(0, 2, share), Holding(1, 2, share)))
    assert graph.overstated == {2}
    assert share_of(graph, 0, 2) == Interval.of("2/5", "3/5")


def test_nobody_owns_a_person():
    with pytest.raises(GraphError, match="Nobody owns a person"):
        Graph(frozenset({0}), (Holding(1, 0, HALF),))


def test_a_share_is_between_nothing_and_all():
    with pytest.raises(ValueError, match="No share"):
        Interval.of("1/2", "1/3")
    with pytest.raises(ValueError, match="No share"):
        Interval.exactly("11/10")
