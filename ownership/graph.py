"""The graph: parties, their holdings, and control by other means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ownership.shares import ONE, UNKNOWN, ZERO, Interval

# owned → owner → share.
Shares = Mapping[int, Mapping[int, Interval]]


class GraphError(ValueError):
    """The graph is not valid. The message says why."""


@dataclass(frozen=True)
class Holding:
    """`owner` holds a share of `owned`. `votes` is the share of votes if it differs from the
    capital.
    """

    owner: int
    owned: int
    share: Interval = UNKNOWN
    votes: Interval | None = None

    @property
    def voting(self) -> Interval:
        return self.share if self.votes is None else self.votes


@dataclass(frozen=True)
class Control:
    """`controller` controls `controlled` by means other than shares."""

    controller: int
    controlled: int
    means: str = ""


@dataclass(frozen=True)
class Graph:
    """Parties, given by their ids. `people` are natural persons, whom nobody can own.

    Several holdings between the same two parties are added. What a business holds of itself counts
    as nobody's: the shares of its other owners are those of the rest. Raises GraphError if a person is owned
    or controlled.
    """

    people: frozenset[int] = frozenset()
    holdings: tuple[Holding, ...] = ()
    controls: tuple[Control, ...] = ()

    def __post_init__(self) -> None:
        for holding in self.holdings:
            if holding.owned in self.people:
                raise GraphError(f"Nobody owns a person: {holding.owned}.")
        for control in self.controls:
            if control.controlled in self.people:
                raise GraphError(f"Nobody controls a person: {control.controlled}.")

    @cached_property
    def capital(self) -> Shares:
        """The shares of the capital: owned → owner → share."""
        return _added((h.owner, h.owned, h.share) for h in self.holdings)

    @cached_property
    def votes(self) -> Shares:
        """The shares of the votes: owned → owner → share.

        Without other votes a share of the capital has as many. Where the votes that are stated leave
        less, those of the other shares are not known: they are another class.
        """
        totals: dict[int, Fraction] = {}
        for holding in self.holdings:
            before = totals.get(holding.owned, ZERO)
            totals[holding.owned] = before + holding.voting.low
        stated = {h.owned for h in self.holdings if h.votes is not None}
        entries = []
        for holding in self.holdings:
            share = holding.voting
            is_split = holding.owned in stated and totals[holding.owned] > ONE
            if is_split and holding.votes is None:
                share = Interval(ZERO, share.high)
            entries.append((holding.owner, holding.owned, share))
        return _added(entries)

    @cached_property
    def overstated(self) -> frozenset[int]:
        """Businesses whose stated shares exceed the whole, so at least one statement is wrong."""
        totals: dict[int, Fraction] = {}
        for holding in self.holdings:
            before = totals.get(holding.owned, ZERO)
            totals[holding.owned] = before + holding.share.low
        return frozenset(owned for owned, total in totals.items() if total > ONE)

    def above(self, target: int) -> set[int]:
        """The target, and all parties that hold a part of it or control it, at any level."""
        pairs = [(holding.owner, holding.owned) for holding in self.holdings]
        pairs += [(control.controller, control.controlled) for control in self.controls]
        return {target, *_upwards(pairs, target)}

    def owners_above(self, target: int) -> set[int]:
        """All parties that hold a part of the target, at any level. In a cycle this includes the
        target.
        """
        pairs = []
        for owned, row in self.capital.items():
            pairs += [(owner, owned) for owner, share in row.items() if share.high]
        return _upwards(pairs, target)

    def part_above(self, target: int) -> Graph:
        """The part of the graph at and above the target. The rest does not affect it."""
        above = self.above(target)
        return Graph(
            people=self.people & above,
            holdings=tuple(h for h in self.holdings if h.owned in above),
            controls=tuple(c for c in self.controls if c.controlled in above),
        )


def _upwards(pairs: Iterable[tuple[int, int]], target: int) -> set[int]:
    owners: dict[int, set[int]] = {}
    for owner, owned in pairs:
        owners.setdefault(owned, set()).add(owner)
    seen: set[int] = set()
    waiting = [target]
    while waiting:
        for owner in owners.get(waiting.pop(), ()):
            if owner not in seen:
                seen.add(owner)
                waiting.append(owner)
    return seen


def _added(entries: Iterable[tuple[int, int, Interval]]) -> Shares:
    sums: dict[int, dict[int, tuple[Fraction, Fraction]]] = {}
    for owner, owned, share in entries:
        row = sums.setdefault(owned, {})
        low, high = row.get(owner, (ZERO, ZERO))
        # Several holdings of one owner are added, at most to the whole.
        row[owner] = (min(low + share.low, ONE), min(high + share.high, ONE))
    return {owned: _without_own(owned, _within_one(row)) for owned, row in sums.items()}


def _without_own(owned: int, row: dict[int, Interval]) -> dict[int, Interval]:
    """Divides what a business holds of itself among its other owners: its own shares have no votes,
    and belong to those who own the rest.
    """
    own = row.pop(owned, None)
    if own is None or own.low == ONE:
        # It is said to hold all of itself: nobody else is known.
        return row if own is None else {}
    shares = {}
    for owner, share in row.items():
        high = ONE if own.high == ONE else min(share.high / (ONE - own.high), ONE)
        shares[owner] = Interval(share.low / (ONE - own.low), high)
    return shares


def _within_one(row: Mapping[int, tuple[Fraction, Fraction]]) -> dict[int, Interval]:
    """Limits each share to what the other owners leave.

    If more than the whole is stated, each statement may be wrong: a share is at least what remains
    if all others are right, and at most what was stated.
    """
    total = sum((low for low, _ in row.values()), ZERO)
    excess = max(total - ONE, ZERO)
    lows = {owner: max(low - excess, ZERO) for owner, (low, _) in row.items()}
    rest = ONE - sum(lows.values(), ZERO)
    shares = {}
    for owner, (_, high) in row.items():
        low = lows[owner]
        shares[owner] = Interval(low, min(high, low + rest))
    return shares
