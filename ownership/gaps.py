"""Gaps: what is unknown about the owners of a business, and how much of it is affected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ownership.chances import greatest
from ownership.control import controlled_by
from ownership.graph import Graph
from ownership.shares import ONE, ZERO, Interval


class Gap(StrEnum):
    """A kind of gap in the known owners of a business."""

    NO_OWNER = "no_owner"  # no owner is named
    PART = "part"  # the owners named hold less than the whole
    SHARE = "share"  # an owner's share is not exact
    CYCLE = "cycle"  # the owners own each other, and no owner outside is named
    OVERSTATED = "overstated"  # the stated shares exceed the whole


@dataclass(frozen=True)
class Unknown:
    """A gap at `business`. `share`: the largest part of the target that it may affect."""

    business: int
    gap: Gap
    share: Fraction


def gaps(graph: Graph, target: int) -> list[Unknown]:
    """The gaps at or above the target, the largest first. Gaps that affect no part of it are
    left out.
    """
    results = []
    for business in graph.above(target) - graph.people:
        # The first kind decides how much of the business is open.
        kinds = list(_kinds(graph, business))
        if not kinds:
            continue
        part = greatest(graph.capital, business).get(target, ZERO)
        if part == ZERO and target in controlled_by(graph, business):
            # It controls the target without a share, so its unknown owners may control all of the
            # target.
            part = ONE
        share = _share(graph, target, business, kinds[0], part)
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


def _share(
    graph: Graph, target: int, business: int, kind: Gap, part: Fraction
) -> Fraction:
    """`part`: how much of the target belongs to the business."""
    if kind in (Gap.CYCLE, Gap.OVERSTATED):
        return part
    row = graph.capital.get(business, {})
    open_part = ONE - sum((share.low for share in row.values()), ZERO)
    # Give the open part to one unknown owner. In a cycle that owner holds more than the product of both parts.
    somebody = min(graph.above(target)) - 1
    held = {**row, somebody: Interval(ZERO, open_part)}
    parts = greatest({**graph.capital, business: held}, somebody)
    return max(part * open_part, parts.get(target, ZERO))


def _is_closed(graph: Graph, business: int) -> bool:
    """Whether the owners of a business, through all levels, are owned by it in turn and hold
    everything.
    """
    group = graph.owners_above(business)
    if business not in group:
        return False
    for member in group:
        # An open part of any member means that the cycle has an outside.
        row = graph.capital.get(member, {})
        if sum((share.low for share in row.values()), ZERO) < ONE:
            return False
    return True
