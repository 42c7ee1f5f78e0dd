"""The words of a page by blocks: letters and bills set several columns of short lines side by side.

Read across the page, the street of an address runs into what stands beside it. Read by blocks,
each column keeps to itself, and the lines above an address are those of its addressee.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from checks.text.words import Line, Page, Text, Word
from papers.geometry import enclosing

# Between two words of one column there is less than this, in heights of the line: the space of a
# typewriter is one such height wide, and two of them still join a state and its postal code.
WIDE_GAP = 2.6
# Lines of a block follow each other within this, in heights of their letters, from top to top.
LINE_STEP = 2.6
# Lines of a block begin at the same edge, or share most of their width.
SAME_EDGE = 0.012


def by_blocks(pages: Iterable[Page]) -> Text:
    """The text of the pages, each block apart from the next as pages are apart in a `Text`."""
    return Text(
        replace(page, lines=tuple(block)) for page in pages for block in _blocks(page)
    )


def _blocks(page: Page) -> list[list[Line]]:
    if page.height:
        shape = page.width / page.height
    else:
        shape = 1.0
    runs = sorted(
        (run for line in page.lines for run in _runs(line, shape)),
        key=lambda run: (run.box.y0, run.box.x0),
    )
    blocks: list[list[Line]] = []
    for run in runs:
        home = next(
            (block for block in reversed(blocks) if _follows(block[-1], run)), None
        )
        if home is None:
            blocks.append([run])
        else:
            home.append(run)
    return blocks


def _runs(line: Line, shape: float) -> Iterator[Line]:
    """The pieces of a line that wide gaps divide."""
    words: list[Word] = []
    height = max(0.006, *(word.box.height for word in line.words))
    for word in line.words:
        if words:
            gap = (word.box.x0 - words[-1].box.x1) * shape
        else:
            gap = 0.0
        if words and not -height < gap < WIDE_GAP * height:
            yield Line(tuple(words))
            words = []
        words.append(word)
    yield Line(tuple(words))


def _follows(above: Line, run: Line) -> bool:
    upper = above.box
    lower = run.box
    step = lower.y0 - upper.y0
    height = max(enclosing((upper,)).height, lower.height, 0.004)
    if not 0.3 * height < step < LINE_STEP * height:
        return False
    if abs(upper.x0 - lower.x0) <= SAME_EDGE:
        return True
    shared = min(upper.x1, lower.x1) - max(upper.x0, lower.x0)
    centred = abs((upper.x0 + upper.x1) - (lower.x0 + lower.x1)) / 2 <= SAME_EDGE
    return centred and shared > 0
