"""Businesses owned by listed (sanctioned) parties: OFAC's 50 % rule, and the rules of the EU and
the UK.

Shares are not multiplied along a chain here. A business owned by listed parties to a half counts as
listed itself, and passes its holdings on in full. A minority passes nothing on (OFAC, FAQ 401).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from ownership.control import HALF, of_side, together
from ownership.graph import Graph
from ownership.shares import ONE, Interval


@dataclass(frozen=True)
class ListedRule:
    """When a business counts as listed because of its owners."""

    name: str
    # The part that listed owners must hold: at least this much or, if `is_more_than`, more.
    threshold: Fraction = HALF
    is_more_than: bool = False
    # Whether the shares of several listed owners are added up.
    is_summed: bool = True
    # Whether control counts, too: more than half of the votes, or by other means.
    has_control: bool = False

    def reached(self, share: Fraction) -> bool:
        if self.is_more_than:
            return share > self.threshold
        return share >= self.threshold


OFAC = ListedRule("OFAC 50 % rule")
EU = ListedRule("EU, more than 50 % or control", is_more_than=True, has_control=True)
UK = ListedRule(
    "UK, more than 50 % or control",
    is_more_than=True,
    is_summed=False,
    has_control=True,
)
RULES = (OFAC, EU, UK)


@dataclass(frozen=True)
class Blocked:
    """A business that counts as listed.

    `owners`: listed parties, and businesses that count as listed, with the share that each holds of
    it; `together` is their sum. `is_certain` is False if only the upper ends of the shares reach
    the threshold. `is_by_votes`: these are shares of the votes, by which they control it.
    """

    business: int
    together: Interval
    owners: tuple[tuple[int, Interval], ...] = ()
    means: tuple[str, ...] = ()
    is_certain: bool = True
    is_by_votes: bool = False


def blocked(
    graph: Graph, listed: Collection[int], rule: ListedRule = OFAC
) -> dict[int, Blocked]:
    """The businesses that count as listed, in the order in which it follows. Listed parties are
    left out.
    """
    if rule.is_summed:
        return _spread_both(graph, set(listed), rule)
    # Without summing, each listed party is followed alone. Certain results replace uncertain ones.
    answers: dict[int, Blocked] = {}
    for party in sorted(listed):
        for business, answer in _spread_both(graph, {party}, rule).items():
            earlier = answers.get(business)
            is_better = earlier is None or answer.is_certain > earlier.is_certain
            if is_better and business not in listed:
                answers[business] = answer
    return answers


def could_be_blocked(
    graph: Graph, listed: Collection[int], rule: ListedRule = OFAC
) -> set[int]:
    """The businesses that would count as listed if listed parties held every part without a
    named owner.

    These businesses should be asked for their owners.
    """
    side = set(listed)
    while True:
        new = set()
        for business, row in graph.capital.items():
            # Shares that owners outside of the listed side certainly hold cannot
            # belong to listed parties.
            others = {key for key in row if key not in side}
            rest = ONE - together(row, others).low
            if business not in side and rule.reached(rest):
                new.add(business)
        if not new:
            return side - set(listed)
        side |= new


def _spread_both(
    graph: Graph, listed: set[int], rule: ListedRule
) -> dict[int, Blocked]:
    certain = _spread(graph, listed, rule, {}, certain=True)
    answers = _spread(graph, listed, rule, certain, certain=False)
    certain_side, side = listed | set(certain), listed | set(answers)
    return {
        business: _with_all(graph, answer, certain_side if answer.is_certain else side)
        for business, answer in answers.items()
    }


def _with_all(graph: Graph, answer: Blocked, side: set[int]) -> Blocked:
    """The answer with all owners of the side: some may have joined it later than the business."""
    shares = graph.votes if answer.is_by_votes else graph.capital
    row = shares.get(answer.business, {})
    return replace(answer, together=together(row, side), owners=of_side(row, side))


def _spread(
    graph: Graph,
    listed: set[int],
    rule: ListedRule,
    before: dict[int, Blocked],
    *,
    certain: bool,
) -> dict[int, Blocked]:
    answers = dict(before)
    side = listed | set(answers)
    while new := _next(graph, side, rule, certain=certain):
        answers.update(new)
        side |= set(new)
    return answers


def _next(
    graph: Graph, side: set[int], rule: ListedRule, *, certain: bool
) -> dict[int, Blocked]:
    new: dict[int, Blocked] = {}
    for business, row in graph.capital.items():
        if business in side:
            continue
        held = together(row, side)
        if rule.reached(held.low if certain else held.high):
            new[business] = Blocked(
                business, held, of_side(row, side), is_certain=certain
            )
    if rule.has_control:
        _add_controlled(graph, side, new, certain=certain)
        _add_by_votes(graph, side, new, certain=certain)
    return new


def _add_by_votes(
    graph: Graph, side: set[int], new: dict[int, Blocked], *, certain: bool
) -> None:
    """Add businesses of which the side has most votes, whatever its part of the capital is."""
    for business, row in graph.votes.items():
        if business in side or business in new:
            continue
        held = together(row, side)
        if (held.low if certain else held.high) > HALF:
            new[business] = Blocked(
                business,
                held,
                of_side(row, side),
                is_certain=certain,
                is_by_votes=True,
            )


def _add_controlled(
    graph: Graph, side: set[int], new: dict[int, Blocked], *, certain: bool
) -> None:
    for control in graph.controls:
        business = control.controlled
        # Control passes on in full, without any share.
        if control.controller not in side or business in side or business in new:
            continue
        row = graph.capital.get(business, {})
        held = together(row, side)
        new[business] = Blocked(
            business, held, of_side(row, side), (control.means,), is_certain=certain
        )
