"""What is not known of the owners of a business, and how much of it that leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ownership.chances import greatest
from ownership.control import controlled_by
from ownership.graph import Graph
from ownership.shares import ONE, ZERO


class Gap(StrEnum):
    """What is not known of a business."""

    NO_OWNER = "no_owner"  # nobody is named
    PART = "part"  # for a part nobody is named
    SHARE = "share"  # an owner is named, the share is not exact
    CYCLE = "cycle"  # its owners own each other, and nobody outside of them is named
    OVERSTATED = "overstated"  # more than the whole is stated


@dataclass(frozen=True)
class Unknown:
    """A gap at `business`. `share`: how much of the target it concerns, at most."""

    business: int
    gap: Gap
    share: Fraction


def gaps(graph: Graph, target: int) -> list[Unknown]:
    """The gaps above the target, the largest first. Those that concern no part of it are left out."""
    results = []
    for business in graph.above(target) - graph.people:
        kinds = list(_kinds(graph, business))
        if not kinds:
            continue
        part = greatest(graph.capital, business).get(target, ZERO)
        if target in controlled_by(graph, business):
            # Who stands behind a controller has a say in all of it.
            part = ONE
        share = part * _open_part(graph, business, kinds[0])
        if share > ZERO:
            results += [Unknown(business, kind, share) for kind in kinds]
    results.sort(key=lambda unknown: (-unknown.share, unknown.business, unknown.gap))
    return results


def _kinds(graph: Graph, business: int) -> Iterator[Gap]:
    row = graph.capital.get(business, {})
    if not row:
        yield Gap.NO_OWNER
        return
    if business in graph.overstated:
        yield Gap.OVERSTATED
        return
    if sum((share.high for share in row.values()), ZERO) < ONE:
        yield Gap.PART
    if any(not share.is_exact for share in row.values()):
        yield Gap.SHARE
    elif _is_closed(graph, business):
        yield Gap.CYCLE


def _open_part(graph: Graph, business: int, kind: Gap) -> Fraction:
    if kind in (Gap.CYCLE, Gap.OVERSTATED):
        return ONE
    row = graph.capital.get(business, {})
    return ONE - sum((share.low for share in row.values()), ZERO)


def _is_closed(graph: Graph, business: int) -> bool:
    """Whether the owners of a business, through all levels, are only such as it owns in turn."""
    group = graph.owners_above(business)
    if business not in group:
        return False
    for member in group:
        row = graph.capital.get(member, {})
        if sum((share.low for share in row.values()), ZERO) < ONE:
            return False
    return True
