"""The words of a page by blocks, as letters and bills have columns of short lines side by side.

In the order across the page, the street of an address is mixed with what stands beside it. By
blocks, each column stays separate, and the lines above an address are those of its addressee.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from checks.text import tunables
from checks.text.words import Line, Page, Text, Word

# Letters of Hebrew and Arabic, also in their forms for drawing.
FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def by_blocks(pages: Iterable[Page]) -> Text:
    """Return the text of the pages.

    Blocks are separated by a form feed, as pages are in a `Text`.
    """
    parts: list[Page] = []
    for page in pages:
        for block in _blocks(page):
            parts.append(replace(page, lines=tuple(block)))
    return Text(parts)


def _blocks(page: Page) -> list[list[Line]]:
    shape = 1.0
    if page.height:
        shape = page.width / page.height
    runs: list[Line] = []
    for line in page.lines:
        runs += _runs(line, shape)
    runs.sort(key=_place)
    blocks: list[list[Line]] = []
    for run in runs:
        block = _block_of(run, blocks)
        if block is None:
            blocks.append([run])
        else:
            block.append(run)
    return blocks


def _place(run: Line) -> tuple[float, float]:
    box = run.box
    return box.y0, box.x0


def _block_of(run: Line, blocks: list[list[Line]]) -> list[Line] | None:
    """Return the block that a run continues; of several, the one that began last."""
    for block in reversed(blocks):
        if _follows(block[-1], run):
            return block
    return None


def _runs(line: Line, shape: float) -> Iterator[Line]:
    """Yield the pieces of a line that wide gaps separate."""
    words: list[Word] = []
    height = max(0.006, *(word.box.height for word in line.words))
    is_from_right = bool(FROM_RIGHT.search(line.text))
    for word in line.words:
        if words:
            # Widths and heights are fractions of different sides, so the gap is converted into a
            # fraction of the height.
            gap = _gap(words[-1], word, is_from_right=is_from_right) * shape
            if not -height < gap < tunables.WIDE_GAP * height:
                yield Line(tuple(words))
                words = []
        words.append(word)
    yield Line(tuple(words))


def _gap(word: Word, following: Word, *, is_from_right: bool) -> float:
    """Return the space between two words that stand beside each other.

    Hebrew and Arabic words follow each other from the right, and the digits among them from the left.
    """
    gap = following.box.x0 - word.box.x1
    if is_from_right:
        return max(gap, word.box.x0 - following.box.x1)
    return gap


def _follows(above: Line, run: Line) -> bool:
    upper = above.box
    lower = run.box
    step = lower.y0 - upper.y0
    height = max(upper.height, lower.height, 0.004)
    # The line must be below, and not farther away than the next line of a paragraph.
    if not 0.3 * height < step < tunables.LINE_STEP * height:
        return False
    if abs(upper.x0 - lower.x0) <= tunables.SAME_EDGE:
        return True
    if abs(upper.x1 - lower.x1) <= tunables.SAME_RIGHT_EDGE:
        return True
    # Centred lines have the same middle.
    middle = upper.middle_x
    lower_middle = lower.middle_x
    if abs(middle - lower_middle) > tunables.SAME_EDGE:
        return False
    return min(upper.x1, lower.x1) > max(upper.x0, lower.x0)
