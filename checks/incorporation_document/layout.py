"""The labelled values of a document, as a function for `Evidence.once`."""

from __future__ import annotations

from collections.abc import Sequence

from checks.evidence import Evidence
from checks.fields.labels.pairs import Pair, find_pairs
from checks.fields.layout.cells import Cell, cells_of
from checks.incorporation_document import tunables
from checks.text.words import Span


def pairs_of(evidence: Evidence) -> list[Pair]:
    return find_pairs(evidence.text)


def page_cells_of(evidence: Evidence) -> list[Cell]:
    return cells_of(evidence.text)


def cell_at(cells: Sequence[Cell], span: Span) -> Cell | None:
    """Return the cell in which the passage begins."""
    for cell in cells:
        if cell.span.start <= span.start < cell.span.end:
            return cell
    return None


def has_cell_on_left(evidence: Evidence, span: Span) -> bool:
    """Whether another cell stands on the left of the passage, which is then its label or its row."""
    return _has_neighbour(evidence, span, is_left=True)


def has_cell_on_right(evidence: Evidence, span: Span) -> bool:
    return _has_neighbour(evidence, span, is_left=False)


def _has_neighbour(evidence: Evidence, span: Span, *, is_left: bool) -> bool:
    cells = evidence.once(page_cells_of)
    own_cell = cell_at(cells, span)
    if own_cell is None:
        return False
    own = own_cell.box
    for cell in cells:
        box = cell.box
        is_beside = box.x1 <= own.x0 if is_left else box.x0 >= own.x1
        is_on_row = box.page == own.page and box.shared_rows(own) >= tunables.ON_ROW
        if is_beside and is_on_row:
            return True
    return False


def is_behind_caption(evidence: Evidence, span: Span) -> bool:
    """Whether the words directly before the passage are the caption of the value above them."""
    between = (
        evidence.text.value[pair.caption.end : span.start]
        for pair in evidence.once(pairs_of)
        if pair.caption is not None and pair.caption.end <= span.start
    )
    return any(not words.strip() for words in between)
