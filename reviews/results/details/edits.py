"""Values that stand where a document was edited: each is tied to the edit that an indicator shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviews.results.kinds import Box, Comparison, Extraction, Finding, Fraud, Part

# So much of the smaller of two places lies in the other, where both are the same.
SHARED = 0.3


def linked(parts: Sequence[Part]) -> list[Part]:
    """The parts, where each altered row names the edit of its document that lies at its place."""
    return [_linked(part, parts) for part in parts]


def _linked(part: Part, parts: Sequence[Part]) -> Part:
    view = part.view
    if not isinstance(view, Extraction) or not view.counts.get("altered"):
        return part
    edits = [edit for other in parts if other.document == part.document for edit in _edits(other)]
    rows = tuple(_with_edit(row, edits) for row in view.rows)
    return replace(part, view=replace(view, rows=rows))


def _edits(part: Part) -> list[Finding]:
    """The changes that strong signs show, and the signs themselves where they show none."""
    if not isinstance(part.view, Fraud):
        return []
    signs = [row for row in part.view.rows if row.type == "RISK"]
    changes = [change for row in signs for change in row.changes]
    return [*changes, *signs]


def _with_edit(row: Comparison, edits: Sequence[Finding]) -> Comparison:
    if row.state != "altered":
        return row
    edit = next((edit for edit in edits if _touches(row.boxes, edit.boxes)), None)
    return replace(row, edit=edit.ref) if edit else row


def _touches(boxes: Sequence[Box], others: Sequence[Box]) -> bool:
    return any(
        _shared(box, other) > SHARED * min(_area(box), _area(other))
        for box in boxes
        for other in others
        if box.page == other.page
    )


def _shared(box: Box, other: Box) -> float:
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return max(width, 0.0) * max(height, 0.0)


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
