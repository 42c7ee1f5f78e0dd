"""Generated graphs, and slow answers from the definitions to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, permutations, product

from hypothesis import strategies as st

from ownership.graph import Control, Graph, Holding
from ownership.shares import Interval

PARTIES = 6


@st.composite
def parts(draw: st.DrawFn, most: int) -> list[Fraction]:
    """Up to `most` shares that are no more than the whole."""
    count = draw(st.integers(0, most))
    weights = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    rest = draw(st.sampled_from([0, 0, 1, 3]))
    whole = sum(weights) + rest
    return [Fraction(weight, whole) for weight in weights]


@st.composite
def graphs(
    draw: st.DrawFn,
    *,
    exact: bool = False,
    cycles: bool = True,
    parties: int = PARTIES,
    owners: int = 3,
    has_votes: bool = False,
) -> Graph:
    """Parties 0 … n-1; the first two are people, the others businesses."""
    people = frozenset({0, 1})
    holdings = []
    for owned in range(2, parties):
        candidates = [n for n in range(parties) if cycles or n < owned]
        result = draw(
            st.lists(st.sampled_from(candidates), max_size=owners, unique=True)
        )
        shares = draw(parts(len(result)))
        for owner, share in zip(result, shares, strict=False):
            low = share
            if not exact and draw(st.booleans()):
                low = share * draw(st.sampled_from([Fraction(0), Fraction(1, 2)]))
                share = min(Fraction(1), share * draw(st.sampled_from([1, 2])))
            # Preferred shares have no votes, others have several.
            votes = None
            if has_votes and draw(st.booleans()):
                votes = Interval.exactly(
                    draw(st.sampled_from(["0", "1/4", "1/2", "3/4"]))
                )
            holdings.append(Holding(owner, owned, Interval(low, share), votes))
    controls = []
    for controlled in range(2, parties):
        if draw(st.integers(0, 5)) == 0:
            controls.append(Control(draw(st.integers(0, parties - 1)), controlled))
    return Graph(people, tuple(holdings), tuple(controls))


def subsets(members: list[int]) -> Iterator[set[int]]:
    sizes = range(len(members) + 1)
    for choice in chain.from_iterable(combinations(members, n) for n in sizes):
        yield set(choice)


def exact_parts(graph: Graph) -> Iterator[dict[int, dict[int, Fraction]]]:
    """Every corner of what the intervals allow: each business gives as much as it can to its
    owners, in each order of them."""
    choices = []
    for owned, row in graph.capital.items():
        ways = set()
        for order in permutations(row):
            by_name = {owner: share.low for owner, share in row.items()}
            rest = 1 - sum(by_name.values())
            for owner in order:
                more = min(row[owner].high - by_name[owner], rest)
                by_name[owner] += more
                rest -= more
            ways.add(tuple(sorted(by_name.items())))
        choices.append([(owned, dict(way)) for way in ways])
    for combination in product(*choices):
        yield dict(combination)


def walks(parts: dict[int, dict[int, Fraction]], holder: int, target: int) -> float:
    """The sum over all chains that first meet the holder at their end, by walking them."""
    total = 0.0
    weights = {target: 1.0}
    for _ in range(4_000):
        following: dict[int, float] = {}
        for node, weight in weights.items():
            if node == holder:
                total += weight
                continue
            for owner, part in parts.get(node, {}).items():
                following[owner] = following.get(owner, 0.0) + weight * float(part)
        weights = following
        if sum(weights.values()) < 1e-13:
            break
    return total


def paths(parts: dict[int, dict[int, Fraction]], holder: int, target: int) -> Fraction:
    """The sum over all chains of a graph without cycles, each the product of its shares."""
    if holder == target:
        return Fraction(1)
    return sum(
        (
            part * paths(parts, holder, owner)
            for owner, part in parts.get(target, {}).items()
        ),
        Fraction(0),
    )
