"""The text with lines joined where only the margin of the page ended them."""

from __future__ import annotations

import itertools

from checks.text import tunables
from checks.text.words import Text, Word


def flowing(text: Text) -> str:
    """Return the text with a space instead of a line feed where a sentence continues.

    The length stays the same, so that positions stay valid. A line continues if the first word of
    the next line would not have fitted behind it: a heading or the cell of a table ends before the
    margin. A row with several cells is no line of a sentence.
    """
    rows = text.rows()
    margins = _margins(rows)
    chars = list(text.value)
    for row, following in itertools.pairwise(rows):
        last, start = row[-1]
        first, _ = following[0]
        # A sentence is not continued on another page, or in the next column.
        if last.box.page != first.box.page or first.box.y0 < last.box.y0:
            continue
        if _has_cells(row) or _has_cells(following):
            continue
        margin = margins.get(last.box.page)
        if margin is not None and _would_not_fit(row[0][0], last, first, margin):
            chars[start + len(last.text)] = " "
    return "".join(chars)


def _has_cells(row: list[tuple[Word, int]]) -> bool:
    """Whether a gap parts the words of the row, that is wider than those of lines that are spread."""
    height = max(word.box.height for word, _ in row)
    wide = tunables.GAP_OF_CELLS * height
    pairs = itertools.pairwise(word.box for word, _ in row)
    # In rows that are read from right to left the next word is on the left.
    for a, b in pairs:
        if b.gap_across(a) > wide:
            return True
    return False


def _would_not_fit(left: Word, last: Word, first: Word, margin: float) -> bool:
    letter = last.box.width / max(len(last.text), 1)
    # A line that begins further right belongs to a list or a table.
    is_of_column = first.box.x0 <= left.box.x0 + tunables.INDENT
    return is_of_column and last.box.x1 + letter + first.box.width > margin


def _margins(rows: list[list[tuple[Word, int]]]) -> dict[int, float]:
    """Return the right margin of each page with running text: several lines, or a long one, reach
    it.
    """
    edges: dict[int, list[float]] = {}
    for row in rows:
        last, _ = row[-1]
        edges.setdefault(last.box.page, []).append(last.box.x1)
    margins: dict[int, float] = {}
    for page, ends in edges.items():
        margin = max(ends)
        near = sum(end >= margin - tunables.RAGGED for end in ends)
        is_wide = margin >= tunables.WIDE_MARGIN
        if is_wide or (near >= tunables.FULL_LINES and margin >= tunables.LEAST_MARGIN):
            margins[page] = margin
    return margins
