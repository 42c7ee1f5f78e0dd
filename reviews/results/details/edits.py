"""Ties an altered value to the edit that an indicator shows at the same place of the document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviews.results.details.places import area, overlap
from reviews.results.kinds import Box, Comparison, Extraction, Finding, Fraud, Part

# Two places are the same if their overlap is more than this share of the smaller one.
SAME_PLACE = 0.3


def with_edits(parts: Sequence[Part]) -> list[Part]:
    """The parts; each altered row gets the ref of the edit at its place on the document."""
    return [_with_edits(part, parts) for part in parts]


def _with_edits(part: Part, parts: Sequence[Part]) -> Part:
    view = part.view
    if not isinstance(view, Extraction):
        return part
    if "altered" not in view.counts:
        return part
    edits: list[Finding] = []
    for other in parts:
        if other.document == part.document:
            edits.extend(_edits(other))
    rows = []
    for row in view.rows:
        rows.append(_with_edit(row, edits))
    return replace(part, view=replace(view, rows=tuple(rows)))


def _edits(part: Part) -> list[Finding]:
    """The changes that RISK indicators of a part show, then those indicators themselves.

    Changes come first because they mark a place more exactly.
    """
    if not isinstance(part.view, Fraud):
        return []
    changes: list[Finding] = []
    risks: list[Finding] = []
    for row in part.view.rows:
        if row.type == "RISK":
            changes.extend(row.changes)
            risks.append(row)
    return changes + risks


def _with_edit(row: Comparison, edits: Sequence[Finding]) -> Comparison:
    if row.state != "altered":
        return row
    for edit in edits:
        if _is_same_place(row.boxes, edit.boxes):
            return replace(row, edit=edit.ref)
    return row


def _is_same_place(boxes: Sequence[Box], others: Sequence[Box]) -> bool:
    for box in boxes:
        for other in others:
            if box.page != other.page:
                continue
            smaller = min(area(box), area(other))
            if overlap(box, other) > SAME_PLACE * smaller:
                return True
    return False
