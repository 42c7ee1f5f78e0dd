"""Values at places that were painted over or retyped. These must never be reported as a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.base import Change, Indicator
from checks.comparisons import Comparison
from checks.document_fraud_check.alterations import alters
from checks.document_fraud_check.file.revisions import (
    revision_pixels_changed,
    revision_text_changed,
    revision_values_changed,
)
from checks.document_fraud_check.page.misdrawn import misdrawn_at
from checks.document_fraud_check.page.overlays import (
    annotation_overlay,
    text_covered,
    text_under_image,
)
from checks.document_fraud_check.page.text_layers import hidden_layer_mismatch
from checks.document_fraud_check.page.unseen import facts_unseen
from checks.document_fraud_check.tool import ask
from checks.evidence import Evidence
from checks.extraction import tunables
from papers.geometry import Box

RULES = (
    revision_text_changed,
    revision_pixels_changed,
    revision_values_changed,
    text_covered,
    text_under_image,
    annotation_overlay,
    hidden_layer_mismatch,
    facts_unseen,
)
MATCHES = {"equal", "close"}


def with_altered(
    compared: Sequence[Comparison], evidence: Evidence
) -> list[Comparison]:
    """Return the comparisons; matches at an edited place become `altered`."""
    # The rules are slow, so they run only if a value would match.
    if evidence.problem or not any(
        comparison.state in MATCHES for comparison in compared
    ):
        return list(compared)
    marked = []
    for comparison in compared:
        known = _marked(comparison, evidence.once(_edits))
        marked.append(_as_shown(known, evidence))
    return marked


def is_edited(evidence: Evidence, boxes: Sequence[Box]) -> bool:
    """Whether a strong sign of an edit is at the place."""
    for change, strong in evidence.once(_edits):
        if strong and _touches(boxes, change.boxes):
            return True
    return False


def _as_shown(comparison: Comparison, evidence: Evidence) -> Comparison:
    """Return the comparison; it cannot be compared if the page shows other words than the file."""
    if comparison.state not in MATCHES or evidence.kind != "pdf":
        return comparison
    change = next(misdrawn_at(evidence, comparison.boxes), None)
    if change is None:
        return comparison
    how = f"the page shows other words than the file states, {change}"
    return replace(comparison, state="cannot_compare", how=how)


def _edits(evidence: Evidence) -> list[tuple[Change, bool]]:
    """Return the changes with their places, those of strong indicators first, and whether these are
    strong.
    """
    signs = []
    for rule in RULES:
        if isinstance(sign := ask(rule, evidence), Indicator):
            signs.append(sign)
    risks = sorted(
        (sign for sign in signs if sign.type == "RISK"),
        key=lambda sign: not sign.strong,
    )
    return [
        (change, sign.strong)
        for sign in risks
        for change in sign.changes
        if alters(change)
    ]


def _marked(comparison: Comparison, edits: Sequence[tuple[Change, bool]]) -> Comparison:
    if comparison.state not in MATCHES:
        return comparison
    touching = next(
        (edit for edit in edits if _touches(comparison.boxes, edit[0].boxes)), None
    )
    if touching is None:
        return comparison
    change, strong = touching
    # A weak sign leaves open whether the place was edited.
    if strong:
        return replace(
            comparison, state="altered", how=f"this place was edited, {change}"
        )
    how = f"whether this place was edited cannot be told, {change}"
    return replace(comparison, state="cannot_compare", how=how)


def _touches(boxes: Sequence[Box], others: Sequence[Box]) -> bool:
    for box in boxes:
        for other in others:
            if box.page == other.page and box.overlap(other) > tunables.OVERLAP * min(
                box.area, other.area
            ):
                return True
    return False
