"""Values beside labels in tables whose cells are centred, as browsers do it.

A label of one line stands beside the middle of a value of two lines, or the other way round. So no line of the
one is on a row with the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.fields import tunables
from checks.fields.labels.cells import Cell
from papers.geometry import Box


def centred_line(cells: Sequence[Cell], index: int, second: int | None) -> int | None:
    """Return the first line of the value whose middle is level with that of its label.

    `index` and `second` are the lines of the label. All numbers are places in `cells`.
    """
    first = cells[index].box
    last = cells[second].box if second is not None else first
    middle = (first.y0 + last.y1) / 2
    reach = tunables.CELL_STEP * first.height
    right = max(first.x1, last.x1)
    near = []
    for other, cell in enumerate(cells):
        box = cell.box
        is_near = abs(_middle(box, box) - middle) <= reach
        if box.page == first.page and box.x0 >= right and is_near:
            near.append(other)
    lines = _lines_of_column(cells, near, {index, second})
    # Two cells of one line each are on one row, and are read as such.
    fewest = 2 if second is None else 1
    best = None
    least = tunables.CENTRED * first.height
    for start, top in enumerate(lines):
        for bottom in lines[start + fewest - 1 :]:
            difference = abs(_middle(cells[top].box, cells[bottom].box) - middle)
            if difference <= least:
                best, least = top, difference
    return best


def _lines_of_column(
    cells: Sequence[Cell], near: Sequence[int], label: set[int | None]
) -> list[int]:
    """Return the lines of the first column, from the top, that have only the label on their left."""
    column = min((cells[other].box.x0 for other in near), default=0.0)
    lines = []
    for other in sorted(near, key=lambda place: cells[place].box.y0):
        is_in_column = cells[other].box.x0 - column <= tunables.SAME_COLUMN
        if is_in_column and not _has_other_left(cells, other, label):
            lines.append(other)
    return lines


def _has_other_left(cells: Sequence[Cell], index: int, label: set[int | None]) -> bool:
    own = cells[index].box
    for other, cell in enumerate(cells):
        if other in label or cell.box.page != own.page or cell.box.x1 > own.x0:
            continue
        if cell.box.shared_rows(own) >= tunables.TOUCHED_ROW:
            return True
    return False


def _middle(top: Box, bottom: Box) -> float:
    return (top.y0 + bottom.y1) / 2
