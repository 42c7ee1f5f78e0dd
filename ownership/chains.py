"""The chains from a holder down to a business: what a computed share is explained by."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ownership.graph import Graph
from ownership.shares import ONE, Interval

MOST = 20  # chains that are shown of one holder
MOST_STEPS = 5_000  # of the search, in graphs with many cycles


@dataclass(frozen=True)
class Chain:
    """From the holder to the business, both included. `share` is the product of its shares."""

    parties: tuple[int, ...]
    share: Interval


@dataclass(frozen=True)
class Chains:
    """The chains that were found, the largest first; `is_all` is False where there are more."""

    chains: tuple[Chain, ...]
    is_all: bool


def chains(graph: Graph, holder: int, business: int) -> Chains:
    """The chains on which nobody is met twice. Where owners own each other in a cycle, the computed
    share is more than their sum."""
    below = _below(graph, holder)
    results: list[Chain] = []
    steps = 0
    # From the business upwards, only through what the holder has a part of.
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
    """The holder and all that it has a part of."""
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
