"""Cuts the lines of a document into cells, which wide gaps separate."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from checks.fields import tunables
from checks.text.characters import has_letter
from checks.text.right_to_left import is_right_to_left
from checks.text.words import Span, Text, Word
from papers.geometry import Box, enclosing

DEEP = re.compile("[gjpqyQ()\u0327\u0328]")
ACCENT_ABOVE = re.compile("[A-Z][\u0300-\u030c]")


def _is_tall(letter: str) -> bool:
    return letter.isupper() or letter.isdigit() or letter in "bdfhklt()/|"


@dataclass(frozen=True)
class Cell:
    """Words of one line without a wide gap between them. `span` is their position in the text."""

    words: Sequence[Word]
    span: Span
    text: str
    # How much the line rises, as a part of the way to the right. It is not zero on photographs.
    slope: float = 0.0
    # Whether the page is read from right to left.
    is_mirrored: bool = False

    @cached_property
    def box(self) -> Box:
        """The box on a page whose lines are level, seen in a mirror where the page is read from right to left."""
        box = enclosing(word.box for word in self.words)
        if self.is_mirrored:
            return mirrored(box)
        if not self.slope:
            return box
        # Lines are turned around the middle of the page, whose width is 1.
        rise = self.slope * (box.x0 + box.x1 - 1) / 2
        return replace(box, y0=box.y0 - rise, y1=box.y1 - rise)

    @cached_property
    def size(self) -> float:
        """The size of the print, as a part of the page: the box is close around the ink of its letters."""
        plain = unicodedata.normalize("NFD", self.text)
        is_tall = any(map(_is_tall, plain))
        height = tunables.TALL if is_tall else tunables.LOW
        if DEEP.search(plain):
            height += tunables.BELOW_LINE
        if ACCENT_ABOVE.search(plain):
            height += tunables.ABOVE_CAPITAL
        return self.box.height / height

    @property
    def is_ocr(self) -> bool:
        return any(word.source == "OCR" for word in self.words)


def cells_of(text: Text) -> list[Cell]:
    """The cells of the first pages, in the order of the text."""
    cells: list[Cell] = []
    slopes = _Slopes(text)
    from_right = _pages_from_right(text)
    for words in text.rows():
        # Both limits bound the work: the steps below compare every cell with every other.
        is_late = words[0][0].box.page > tunables.LABEL_PAGES
        if is_late or len(cells) >= tunables.MAX_CELLS:
            break
        is_mirrored = words[0][0].box.page in from_right
        for run in _runs(words, is_mirrored=is_mirrored):
            start = run[0][1]
            last, last_start = run[-1]
            end = last_start + len(last.text)
            own = tuple(word for word, _ in run)
            slope = slopes.at(own[0])
            cells.append(
                Cell(own, Span(start, end), text.value[start:end], slope, is_mirrored)
            )
    return cells


def mirrored(box: Box) -> Box:
    return replace(box, x0=1 - box.x1, x1=1 - box.x0)


def _pages_from_right(text: Text) -> frozenset[int]:
    """Return the numbers of the pages on which most words are of a script that is written from right to left."""
    excess: Counter[int] = Counter()
    for row in text.rows():
        for word, _ in row:
            if is_right_to_left(word.text):
                excess[word.box.page] += 1
            elif has_letter(word.text):
                excess[word.box.page] -= 1
    return frozenset(page for page, count in excess.items() if count > 0)


class _Slopes:
    """How much the lines of a photograph still rise to the right, once the page is straightened.

    The right side of a long row may then be as high as the row above, so that a label and the value
    beside it seem to be on different rows. A text layer has level lines.
    """

    def __init__(self, text: Text) -> None:
        self._lines: dict[int, list[tuple[float, float]]] = {}
        # The length and the rise of shorter rows.
        self._short: dict[int, list[tuple[float, float]]] = {}
        for words in text.rows():
            word, last_word = words[0][0], words[-1][0]
            first, last = word.box, last_word.box
            length = last.x0 - first.x0
            if word.source != "OCR" or length < tunables.SHORT_ROW:
                continue
            rise = last.middle_y - first.middle_y
            short = self._short.setdefault(first.page, [])
            short.append((length, rise))
            if length < tunables.LONG_ROW:
                continue
            lines = self._lines.setdefault(first.page, [])
            lines.append((first.middle_y, rise / length))

    def at(self, word: Word) -> float:
        """The slope of the lines that are nearest to this word."""
        lines = self._lines.get(word.box.page, [])
        if word.source != "OCR":
            return 0.0
        if len(lines) < tunables.ROWS_OF_SLOPE:
            return self._of_page(word.box.page)
        y = word.box.middle_y
        near = sorted(lines, key=lambda line: abs(line[0] - y))[: tunables.NEAR_ROWS]
        return median(slope for _, slope in near)

    def _of_page(self, page: int) -> float:
        """The slope of the whole page, from its short rows: a form may have labels and values, and no long row.

        A short row says little by itself, so that each counts by the square of its length.
        """
        rows = self._short.get(page, [])
        if len(rows) < tunables.ROWS_OF_PAGE:
            return 0.0
        weighted_rise = sum(length * rise for length, rise in rows)
        weighted_length = sum(length * length for length, _ in rows)
        return weighted_rise / weighted_length


# Heads of columns with the names of persons and of companies that hold shares.
OF_PERSONS = frozenset(
    {"name", "names", "nom", "naam", "nombre", "nome", "navn", "namn", "nazwisko"}
)


def is_below_names_of_persons(cells: Sequence[Cell], cell: Cell) -> bool:
    """Whether the cell stands in a column with the head “Name”, beside a column of something else."""
    own = cell.box
    for head in cells:
        box = head.box
        if head.text.strip(" :").lower() not in OF_PERSONS or box.page != own.page:
            continue
        if box.y0 < own.y0 and abs(box.x0 - own.x0) <= tunables.SAME_COLUMN:
            return True
    return False


def _is_spaced_out(run: Sequence[tuple[Word, int]], word: Word) -> bool:
    """Whether two single characters belong to one label that is spread over the width of its
    column.

    Chinese and Japanese forms print labels of two characters like this.
    """
    return len(run) == 1 and all(
        len(text) == 1 and text >= "\u3400" for text in (run[0][0].text, word.text)
    )


def _gap(before: Box, box: Box, *, is_mirrored: bool) -> float:
    if is_mirrored:
        return before.x0 - box.x1
    return box.x0 - before.x1


def _runs(
    words: Sequence[tuple[Word, int]], *, is_mirrored: bool
) -> Iterator[list[tuple[Word, int]]]:
    height = max(word.box.height for word, _ in words)
    # Boxes are fractions of the page. A page is higher than it is wide, so the same length is a
    # larger fraction of the width than of the height.
    wide = tunables.CELL_GAP * height * tunables.PAGE_SHAPE
    run: list[tuple[Word, int]] = []
    for word, start in words:
        is_far = (
            bool(run) and _gap(run[-1][0].box, word.box, is_mirrored=is_mirrored) > wide
        )
        if is_far and not _is_spaced_out(run, word):
            yield run
            run = []
        run.append((word, start))
    if run:
        yield run
