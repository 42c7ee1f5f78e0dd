"""Whether a name that was read goes on in the line below: a narrow cell or window breaks a long name.

Of the names that were wrong in layouts that no rule had seen, half were the first line of a name. Lines of one cell
stand closer than rows do, and the rest is set like the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from checks.extraction import tunables
from checks.fields.addresses.windows import DEPARTMENT, FOR_ATTENTION
from checks.fields.extracted import ExtractedValue
from checks.fields.layout.cells import Cell, cells_of
from checks.fields.layout.label_cells import labels
from checks.fields.names.companies import is_sentence, split_legal_form
from checks.fields.names.quotations import end_of_quotation, is_open
from checks.fields.names.shape import words_of_forms
from checks.text.folding import folded
from checks.text.words import Span, Text

# Words with which no name ends.
JOINS = re.compile(
    r"(?:\b(?:and|of|the|for|et|de|du|des|la|und|für|der|y|e|ed|del|della|di|do|da|dos|van|voor|en|og|och|i|ve)|[&,+])\s*$",
    re.IGNORECASE,
)


def whole_name(text: Text, span: Span, name: str) -> str:
    """Return the name with the rest that may stand below it; the name itself if nothing may."""
    cells = cells_of(text)
    above = _cell_at(cells, span)
    if above is None or not _ends_cell(text, span, above):
        return name
    rest: list[str] = []
    while len(rest) < tunables.LINES_BELOW:
        below = _below(cells, above)
        if below is None or not _goes_on(" ".join([name, *rest]), below.text):
            break
        rest.append(below.text.strip())
        above = below
    whole = " ".join([name, *rest])
    if rest and _stands_without(text, name, whole):
        return name
    return whole


def to_end_of_quotation(text: Text, name: ExtractedValue[str]) -> ExtractedValue[str]:
    """Return the name with the lines below it in its cell, to the mark that closes its quotation."""
    if not is_open(name.value):
        return name
    cells = cells_of(text)
    above = _cell_at(cells, name.span)
    if above is None or not _ends_cell(text, name.span, above):
        return name
    lines = [name.value]
    for _ in range(tunables.LINES_BELOW):
        below = _below(cells, above, tunables.STEP_IN_QUOTATION)
        if below is None:
            break
        before = f"{' '.join(lines)} "
        end = end_of_quotation(before, below.text)
        if end is not None:
            stop = below.span.start + end
            span = Span(name.span.start, stop)
            return replace(name, value=before + below.text[:end], span=span)
        lines.append(below.text)
        above = below
    return name


def is_before_colon(text: Text, span: Span) -> bool:
    """Whether a colon follows, so that the last words of the name are the label of the next value."""
    return ":" in text.value[span.end - 1 : span.end + 2].partition("\n")[0]


def goes_on_from_above(text: Text, span: Span) -> bool:
    """Whether the line above in the same cell ends with a word that joins it to this one: “Electricity and”."""
    cells = cells_of(text)
    own = _cell_at(cells, span)
    if own is None:
        return False
    for cell in cells:
        if cell is own or not JOINS.search(cell.text):
            continue
        if _below(cells, cell) is own:
            return True
    return False


def is_rest_of_cell(text: Text, span: Span) -> bool:
    """Whether the passage stands close below a line that begins with it and has a cell on its left."""
    cells = cells_of(text)
    own = _cell_at(cells, span)
    if own is None:
        return False
    for cell in cells:
        if abs(cell.box.x0 - own.box.x0) > tunables.SAME_EDGE:
            continue
        if _below(cells, cell) is own and _has_left(cells, cell):
            return True
    return False


def _has_left(cells: Sequence[Cell], own: Cell) -> bool:
    return any(
        cell.box.page == own.box.page
        and cell.box.x1 <= own.box.x0
        and cell.box.shared_rows(own.box) >= tunables.SHARED
        for cell in cells
    )


def _cell_at(cells: Sequence[Cell], span: Span) -> Cell | None:
    for cell in cells:
        if cell.span.start < span.end <= cell.span.end:
            return cell
    return None


def _ends_cell(text: Text, span: Span, cell: Cell) -> bool:
    """Whether nothing stands behind the name in its cell: a full stop or a bracket ends it."""
    return not text.value[span.end : cell.span.end].strip()


def _below(
    cells: Sequence[Cell], above: Cell, most: float = tunables.STEP_IN_CELL
) -> Cell | None:
    """Return the next line of the same cell: close below, in the same print, at the same edge or in the middle.

    `most` is the longest step, in sizes of print.
    """
    box = above.box
    nearest = None
    for cell in cells:
        other = cell.box
        is_below = other.page == box.page and other.y0 > box.middle_y
        is_under = min(other.x1, box.x1) > max(other.x0, box.x0)
        if is_below and is_under and (nearest is None or other.y0 < nearest.box.y0):
            nearest = cell
    if nearest is None or not above.size:
        return None
    below = nearest.box
    step = (below.y1 - box.y1) / above.size
    if step > most:
        return None
    like = nearest.size / above.size
    if not tunables.SAME_PRINT <= like <= 1 / tunables.SAME_PRINT:
        return None
    edges = abs(below.x0 - box.x0)
    middles = abs(below.middle_x - box.middle_x)
    if min(edges, middles) > tunables.SAME_EDGE:
        return None
    return nearest


def _goes_on(name: str, line: str) -> bool:
    """Whether a line may be the rest of a name: the rest of its legal form, or words without digits and labels."""
    words = folded(line).split()
    if not words or len(words) > tunables.WORDS_OF_REST:
        return False
    if DEPARTMENT.match(line) or FOR_ATTENTION.match(line):
        return False
    is_of_form = set(words) <= words_of_forms()
    if split_legal_form(name)[1]:
        return is_of_form
    if re.search(r"\d|:\s*$|^\W*\(", line) or is_sentence(line):
        return False
    return is_of_form or folded(line) not in labels()


def _stands_without(text: Text, name: str, whole: str) -> bool:
    """Whether the text has the name at another place without this rest, so that it is complete."""
    return count_of(text, name) > count_of(text, whole)


def count_of(text: Text, name: str) -> int:
    """Return how often the text has a name as whole words, also twice in a row."""
    words = folded(text.value).split()
    own = folded(name).split()
    return sum(words[i : i + len(own)] == own for i in range(len(words)))
