"""Computes the exact part of each business that belongs to one holder, over all chains.

Model: walk from a business to one of its owners, with the owner's share as probability, then on to
an owner of that owner. The holder's part is the probability that the walk reaches the holder. A
chain is the product of its shares, a cycle an infinite sum. So a linear system is solved in
fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from ownership.graph import Shares
from ownership.shares import ONE, ZERO, Interval

# owned → owner → share.
Parts = Mapping[int, Mapping[int, Fraction]]
Values = Mapping[int, Fraction]


def smallest(shares: Shares, holder: int) -> dict[int, Fraction]:
    """The least part of each business that belongs to `holder`: every share has its lower end."""
    return arrivals(_lows(shares), holder)


def greatest(shares: Shares, holder: int) -> dict[int, Fraction]:
    """The largest possible part of each business that belongs to `holder`.

    Shares are intervals, and the shares of a business add up to at most one. Method: policy
    iteration. Each business gives its open part to the owners through whom most reaches the holder;
    the system is solved; this repeats until no business can improve. Each round is exact and better
    than the one before, and the number of assignments is finite, so it ends at the exact maximum.
    """
    parts = _lows(shares)
    while True:
        values = arrivals(parts, holder)
        changes = {}
        for owned, row in shares.items():
            best = _best(row, values)
            if _worth(best, values) > _worth(parts[owned], values):
                changes[owned] = best
        if not changes:
            return values
        parts = {**parts, **changes}


def _lows(shares: Shares) -> dict[int, dict[int, Fraction]]:
    parts = {}
    for owned, row in shares.items():
        parts[owned] = {owner: share.low for owner, share in row.items()}
    return parts


def _best(row: Mapping[int, Interval], values: Values) -> dict[int, Fraction]:
    """Each owner's smallest share; the rest goes to the owners with the highest value first."""
    parts = {owner: share.low for owner, share in row.items()}
    # What is not assigned to anybody yet.
    rest = ONE - sum(parts.values(), ZERO)
    for owner in sorted(row, key=lambda key: (-values.get(key, ZERO), key)):
        more = min(row[owner].high - parts[owner], rest)
        parts[owner] += more
        rest -= more
    return parts


def _worth(parts: Mapping[int, Fraction], values: Values) -> Fraction:
    terms = [part * values.get(owner, ZERO) for owner, part in parts.items()]
    return sum(terms, ZERO)


def arrivals(parts: Parts, holder: int) -> dict[int, Fraction]:
    """The part of each business that belongs to `holder`. The holder itself has the value one.

    Parties without any connection to the holder are missing. A walk ends when it first reaches the
    holder, so nothing is counted twice.
    """
    owned_by = _reversed(parts, holder)
    values = {holder: ONE}
    # Owners come first, so their values are known when they are needed.
    for group in _groups(owned_by, holder):
        if group != [holder]:
            values.update(_solve(parts, group, values))
    return values


def _reversed(parts: Parts, holder: int) -> dict[int, list[int]]:
    """owner → what it holds a part of. The holder's own owners are left out, because a walk ends
    there.
    """
    owned_by: dict[int, list[int]] = {}
    for owned, row in parts.items():
        if owned == holder:
            continue
        for owner, part in row.items():
            if part > ZERO:
                owned_by.setdefault(owner, []).append(owned)
    return owned_by


def _groups(owned_by: Mapping[int, list[int]], holder: int) -> list[list[int]]:
    """The parties that the holder has a part of, in groups that own each other, owners before
    the owned.

    Tarjan's algorithm for strongly connected components, without recursion. It yields the groups in
    reverse order.
    """
    # order: when a node was entered; lowest: the earliest open node that it can reach.
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    groups: list[list[int]] = []
    path: list[tuple[int, Iterator[int]]] = []

    def enter(node: int) -> None:
        order[node] = lowest[node] = len(order)
        open_nodes.append(node)
        is_open.add(node)
        path.append((node, iter(owned_by.get(node, ()))))

    enter(holder)
    while path:
        node, following = path[-1]
        for after in following:
            if after not in order:
                enter(after)
                break
            if after in is_open:
                lowest[node] = min(lowest[node], order[after])
        else:
            path.pop()
            if path:
                before = path[-1][0]
                lowest[before] = min(lowest[before], lowest[node])
            # The node is the root of a group, whose members are on top of the stack.
            if lowest[node] == order[node]:
                groups.append(_closed(node, open_nodes, is_open))
    groups.reverse()
    return groups


def _closed(node: int, open_nodes: list[int], is_open: set[int]) -> list[int]:
    group = []
    while True:
        member = open_nodes.pop()
        is_open.discard(member)
        group.append(member)
        if member == node:
            return group


def _solve(parts: Parts, group: Collection[int], values: Values) -> dict[int, Fraction]:
    """The values of a group whose members own each other: v = direct + within · v, in fractions.

    The system has exactly one solution: from each member some part reaches the holder outside of
    the group, so no walk stays in the group forever.
    """
    members = set(group)
    rows: dict[int, tuple[dict[int, Fraction], Fraction]] = {}
    for member in group:
        coefficients = {member: ONE}
        # The part that goes to owners outside of the group, whose values are known.
        direct = ZERO
        for owner, part in parts[member].items():
            if owner in values:
                direct += part * values[owner]
            elif owner in members:
                coefficients[owner] = coefficients.get(owner, ZERO) - part
        rows[member] = (coefficients, direct)
    return _eliminate(rows)


def _eliminate(
    rows: dict[int, tuple[dict[int, Fraction], Fraction]],
) -> dict[int, Fraction]:
    """Gauss-Jordan elimination.

    The matrix is weakly diagonally dominant and invertible, so every pivot is positive and no rows
    have to be exchanged.
    """
    for pivot in list(rows):
        coefficients, constant = rows[pivot]
        # Normalise the row, then remove the pivot from all other rows.
        scale = coefficients[pivot]
        coefficients = {key: value / scale for key, value in coefficients.items()}
        constant = constant / scale
        rows[pivot] = (coefficients, constant)
        for other, (others, other_constant) in rows.items():
            factor = others.get(pivot, ZERO)
            if other == pivot or factor == ZERO:
                continue
            for key, value in coefficients.items():
                others[key] = others.get(key, ZERO) - factor * value
            rows[other] = (others, other_constant - factor * constant)
    return {member: constant for member, (_, constant) in rows.items()}
