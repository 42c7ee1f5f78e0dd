"""The beneficial owners of a business: by ownership, by control, and what is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ownership.chances import greatest, smallest
from ownership.control import Step, controlled_by, together
from ownership.gaps import Unknown, gaps
from ownership.graph import Graph
from ownership.shares import ONE, ZERO, Interval


@dataclass(frozen=True)
class OwnerPolicy:
    """The share that makes a person a beneficial owner: at least the threshold or, if
    `is_more_than`, more.
    """

    name: str = "25 % or more (AMLR)"
    threshold: Fraction = Fraction(1, 4)
    is_more_than: bool = False

    def reached(self, share: Fraction) -> bool:
        if self.is_more_than:
            return share > self.threshold
        return share >= self.threshold


class Reason(StrEnum):
    """Why a person is a beneficial owner."""

    # Shares multiplied along each chain, and added over all chains.
    OWNERSHIP = "ownership"
    CONTROL = "control"  # a majority at each level, or other means
    # Controls owners that together reach the threshold.
    CONTROLLED_OWNERS = "controlled_owners"
    # Owns enough of a business that controls the target.
    OWNS_CONTROLLER = "owns_controller"


@dataclass(frozen=True)
class Owner:
    """A person who is, or may be, a beneficial owner.

    `share`: the part of the target by ownership, as far as owners are named. `certain`: reasons
    that hold in any case. `possible`: reasons that hold only at the upper ends of the shares.
    `steps`: how the person controls the target.
    """

    party: int
    share: Interval
    certain: tuple[Reason, ...] = ()
    possible: tuple[Reason, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def is_certain(self) -> bool:
        return bool(self.certain)


@dataclass(frozen=True)
class Ownership:
    """The result for one target.

    `owners`: certain owners first, then by share, the largest first. `holders`: other persons with
    a part. `unattributed`: the largest part that may belong to no named person. `may_hide_owner`:
    whether that part is large enough for another beneficial owner.
    """

    target: int
    owners: tuple[Owner, ...]
    holders: tuple[Owner, ...]
    unknown: tuple[Unknown, ...]
    unattributed: Fraction
    may_hide_owner: bool

    @property
    def is_complete(self) -> bool:
        """Whether every part of the target is attributed to a person exactly."""
        return not self.unknown


def ownership(
    graph: Graph, target: int, policy: OwnerPolicy | None = None
) -> Ownership:
    """The beneficial owners of `target`. Only parties in `graph.people` can be one."""
    policy = policy or OwnerPolicy()
    # Parties below the target do not matter.
    graph = graph.part_above(target)
    people = sorted(graph.above(target) & graph.people - {target})
    results = []
    if people:
        controllers = _controllers(graph, target)
        for person in people:
            results.append(_Reasons(graph, target, person, policy, controllers).owner())
    results.sort(key=_rank)
    owners = [owner for owner in results if owner.certain or owner.possible]
    holders = [owner for owner in results if not (owner.certain or owner.possible)]
    # A person as the target has no owners, so nothing is missing.
    unattributed = ONE - sum((owner.share.low for owner in results), ZERO)
    if target in graph.people:
        unattributed = ZERO
    return Ownership(
        target=target,
        owners=tuple(owners),
        holders=tuple(holders),
        unknown=tuple(gaps(graph, target)),
        unattributed=unattributed,
        may_hide_owner=policy.reached(unattributed),
    )


def share_of(graph: Graph, holder: int, business: int) -> Interval:
    """The part of a business that belongs to a holder over all chains, as far as owners are
    named.
    """
    return _part(_parts(graph, holder), business)


Parts = tuple[Mapping[int, Fraction], Mapping[int, Fraction]]


def _parts(graph: Graph, holder: int) -> Parts:
    return smallest(graph.capital, holder), greatest(graph.capital, holder)


def _part(parts: Parts, business: int) -> Interval:
    lows, highs = parts
    return Interval(lows.get(business, ZERO), highs.get(business, ZERO))


def _rank(owner: Owner) -> tuple[bool, bool, Fraction, Fraction, int]:
    share = owner.share
    return (not owner.certain, not owner.possible, -share.low, -share.high, owner.party)


def _controllers(graph: Graph, target: int) -> dict[int, bool]:
    """The businesses that control the target. The value says whether that is certain."""
    controllers = {}
    for business in sorted(graph.above(target) - graph.people - {target}):
        step = controlled_by(graph, business).get(target)
        if step is not None:
            controllers[business] = step.is_certain
    return controllers


class _Reasons:
    """Collects the reasons why one person is a beneficial owner of the target."""

    def __init__(
        self,
        graph: Graph,
        target: int,
        person: int,
        policy: OwnerPolicy,
        controllers: Mapping[int, bool],
    ) -> None:
        self.graph = graph
        self.target = target
        self.person = person
        self.policy = policy
        self.controllers = controllers
        self.parts = _parts(graph, person)
        self.steps = controlled_by(graph, person)
        self.certain: dict[Reason, None] = {}
        self.possible: dict[Reason, None] = {}

    def owner(self) -> Owner:
        share = _part(self.parts, self.target)
        self._add_share(Reason.OWNERSHIP, share)
        own = self.steps.get(self.target)
        if own is not None:
            self._add(Reason.CONTROL, is_certain=own.is_certain)
        self._add_controlled_owners()
        for business, is_certain in self.controllers.items():
            part = _part(self.parts, business)
            self._add_share(Reason.OWNS_CONTROLLER, part, is_certain=is_certain)
        return Owner(
            party=self.person,
            share=share,
            certain=tuple(self.certain),
            possible=tuple(r for r in self.possible if r not in self.certain),
            steps=tuple(self._way()),
        )

    def _add(self, reason: Reason, *, is_certain: bool) -> None:
        reasons = self.certain if is_certain else self.possible
        reasons[reason] = None

    def _add_share(
        self, reason: Reason, share: Interval, *, is_certain: bool = True
    ) -> None:
        if self.policy.reached(share.high):
            is_certain = is_certain and self.policy.reached(share.low)
            self._add(reason, is_certain=is_certain)

    def _add_controlled_owners(self) -> None:
        # Shares that the person holds directly or through controlled businesses, added up.
        row = self.graph.capital.get(self.target, {})
        if not any(business in row for business in self.steps):
            return
        certain = {b for b, step in self.steps.items() if step.is_certain}
        held = Interval(
            together(row, {self.person, *certain}).low,
            together(row, {self.person, *self.steps}).high,
        )
        self._add_share(Reason.CONTROLLED_OWNERS, held)

    def _way(self) -> list[Step]:
        """The steps by which the person controls the target, or owners of the target."""
        row = self.graph.capital.get(self.target, {})
        # Walk back from the goals to collect only the steps that lead there.
        goals = {self.target, *row} & set(self.steps)
        needed: set[int] = set()
        waiting = list(goals)
        while waiting:
            business = waiting.pop()
            if business in needed or business not in self.steps:
                continue
            needed.add(business)
            waiting += self._before(business)
        return [step for business, step in self.steps.items() if business in needed]

    def _before(self, business: int) -> list[int]:
        holders = [key for key, _ in self.steps[business].holders]
        for control in self.graph.controls:
            if control.controlled == business:
                holders.append(control.controller)
        return holders
