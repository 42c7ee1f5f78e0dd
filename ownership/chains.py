"""The chains of holdings from a holder down to a business. They explain a computed share."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ownership.graph import Graph
from ownership.shares import ONE, Interval

MOST = 20  # chains shown for one holder
MOST_STEPS = 5_000  # limit of the search in graphs with many cycles


@dataclass(frozen=True)
class Chain:
    """A chain from the holder to the business, both included. `share` is the product of its
    shares.
    """

    parties: tuple[int, ...]
    share: Interval


@dataclass(frozen=True)
class Chains:
    """The chains, the largest first. `is_all` is False if there are more."""

    chains: tuple[Chain, ...]
    is_all: bool


def chains(graph: Graph, holder: int, business: int) -> Chains:
    """The chains that visit no party twice.

    If owners own each other in a cycle, the computed share is larger than the sum of these chains.
    """
    below = _below(graph, holder)
    results: list[Chain] = []
    steps = 0
    # Depth first, from the business upwards, only through parties that the holder has a part of.
    # Entries: path, product of the lower ends, product of the upper ends.
    waiting: list[tuple[tuple[int, ...], Fraction, Fraction]] = [
        ((business,), ONE, ONE)
    ]
    while waiting:
        steps += 1
        if steps > MOST_STEPS:
            return _sorted(results, is_all=False)
        path, low, high = waiting.pop()
        for owner, share in graph.capital.get(path[0], {}).items():
            if owner in path or owner not in below:
                continue
            longer = ((owner, *path), low * share.low, high * share.high)
            if owner == holder:
                results.append(Chain(longer[0], Interval(longer[1], longer[2])))
            else:
                waiting.append(longer)
    return _sorted(results, is_all=True)


def _sorted(results: list[Chain], *, is_all: bool) -> Chains:
    results.sort(key=lambda chain: (-chain.share.low, -chain.share.high, chain.parties))
    return Chains(tuple(results[:MOST]), is_all and len(results) <= MOST)


def _below(graph: Graph, holder: int) -> set[int]:
    """The holder and all parties that it has a part of, directly or indirectly."""
    owned_by: dict[int, list[int]] = {}
    for owned, row in graph.capital.items():
        for owner in row:
            owned_by.setdefault(owner, []).append(owned)
    seen = {holder}
    waiting = [holder]
    while waiting:
        for owned in owned_by.get(waiting.pop(), ()):
            if owned not in seen:
                seen.add(owned)
                waiting.append(owned)
    return seen
