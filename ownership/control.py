"""Computes who controls which business: by a majority at each level, or by rights that give
control.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ownership.graph import Graph
from ownership.shares import ONE, ZERO, Interval

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Step:
    """The reason why a business is controlled.

    `holders`: parties of the controlling side with a part of its votes, and what each holds.
    `means`: other means of control, for which there is no share.
    """

    business: int
    holders: tuple[tuple[int, Interval], ...] = ()
    means: tuple[str, ...] = ()
    is_certain: bool = True


def together(row: Mapping[int, Interval], holders: set[int]) -> Interval:
    """The share that some owners of one business hold together, at most the whole."""
    low = sum((share.low for key, share in row.items() if key in holders), ZERO)
    high = sum((share.high for key, share in row.items() if key in holders), ZERO)
    # The upper end is limited by what the other owners hold at least.
    others = sum((s.low for key, s in row.items() if key not in holders), ZERO)
    return Interval(low, max(low, min(high, ONE - others)))


def controlled_by(graph: Graph, holder: int) -> dict[int, Step]:
    """The businesses that `holder` controls, in the order in which control follows.

    A business is controlled if the holder, together with the businesses it controls, has more than
    half of the votes, or if one of them controls it by other means. A minority holding passes no
    control on. A step is not certain if only the upper ends of the shares give a majority.
    """
    # First only with the lower ends of the shares, then with the upper ends.
    certain = _spread(graph, holder, {}, certain=True)
    return _spread(graph, holder, certain, certain=False)


def _spread(
    graph: Graph, holder: int, before: Mapping[int, Step], *, certain: bool
) -> dict[int, Step]:
    steps = dict(before)
    side = {holder, *steps}
    # Each business that is added may bring control of further ones.
    while new := _next(graph, side, certain=certain):
        steps.update(new)
        side |= set(new)
    return steps


def _next(graph: Graph, side: set[int], *, certain: bool) -> dict[int, Step]:
    new: dict[int, Step] = {}
    for business, row in graph.votes.items():
        if business in side:
            continue
        held = together(row, side)
        if (held.low if certain else held.high) > HALF:
            new[business] = Step(business, of_side(row, side), (), certain)
    for control in graph.controls:
        if control.controller in side and control.controlled not in side:
            earlier = new.get(control.controlled, Step(control.controlled))
            means = (*earlier.means, control.means)
            new[control.controlled] = Step(
                control.controlled, earlier.holders, means, certain
            )
    return new


def of_side(
    row: Mapping[int, Interval], side: set[int]
) -> tuple[tuple[int, Interval], ...]:
    """The parties of `side` that hold a part, the largest first."""
    holders = [(key, share) for key, share in row.items() if key in side]
    holders.sort(key=lambda entry: (-entry[1].low, -entry[1].high, entry[0]))
    return tuple(holders)
