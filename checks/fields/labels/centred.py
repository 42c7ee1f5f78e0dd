"""Values beside labels in tables whose cells are centred, as browsers do it.

A label of one line stands beside the middle of a value of two lines, or the other way round. So no line of the
one is on a row with the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.fields import tunables
from checks.fields.layout.cells import Cell
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


def lines_around(
    cells: Sequence[Cell], index: int, second: int | None, value: int
) -> list[int]:
    """Return the lines of a value that also has lines above the one beside its label; none if it has not.

    They stand closer to each other than rows do, only the label is on their left, and its middle is level with theirs.
    """
    label = {index, second}
    lines = [value]
    for is_above in (True, False):
        while len(lines) < tunables.ADDRESS_LINES:
            other = _close_line(cells, lines[0 if is_above else -1], is_above=is_above)
            if other is None:
                break
            if _has_other_left(cells, other, label):
                # Rows follow as closely as lines, so that nothing tells where a cell ends.
                return []
            lines.insert(0 if is_above else len(lines), other)
    if lines[0] == value:
        return []
    first = cells[index].box
    last = cells[second].box if second is not None else first
    difference = _middle(cells[lines[0]].box, cells[lines[-1]].box) - _middle(
        first, last
    )
    return lines if abs(difference) <= tunables.CENTRED * first.height else []


def _close_line(cells: Sequence[Cell], index: int, *, is_above: bool) -> int | None:
    """Return the next line at the same edge, if it is as close as lines of one cell are."""
    own = cells[index]
    best = None
    least = tunables.STEP_OF_LINES * own.size
    for other, cell in enumerate(cells):
        if cell.box.page != own.box.page:
            continue
        if abs(cell.box.x0 - own.box.x0) > tunables.SAME_COLUMN:
            continue
        step = cell.box.y1 - own.box.y1
        if is_above:
            step = -step
        if 0.3 * own.size < step <= least:
            best, least = other, step
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
