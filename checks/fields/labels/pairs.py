"""Which cells are labels, and which cells hold their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz import fuzz, process

from checks.data import table
from checks.fields import tunables
from checks.fields.labels.cells import Cell, cells_of
from checks.fields.names.companies import folded
from checks.text.words import Span, Text

# `1`, `2a.`, `(iii)`, `b)`: the number of a row.
NUMBERING = re.compile(
    r"(?:\s*(?:\(?(?:\d{1,2}[a-z]?|[a-z]|[ivx]{1,4})[.)\]]+|\d{1,2}[a-z]?(?=\s))\s*){1,2}",
    re.IGNORECASE,
)
WORD_END = re.compile(r"\S+")
# Between a label and its translation, and what a bracket adds to it.
TRANSLATED = re.compile(r"\s*[/|·•\u2013-]\s*(?=\S)")
BRACKET = re.compile(r"\s*\([^)\n]{1,60}\)")
COLON = re.compile(r"\s*[.]{0,3}\s*[:\uff1a]\s*")
# Words of another language, up to the colon that ends the label.
UP_TO_COLON = re.compile(r"[^:\n]{2,60}(?=:)")
# What a value looks like is known of these: it may also be sought above the label.
OVER_THEIR_LABELS = frozenset({"date", "number"})
# A postal code alone ends an address.
LAST_OF_ADDRESS = re.compile(r"^\s*\d{4,6}\s*$")
# Dots and strokes of a form lead to its value.
LEADERS = re.compile(r"^[\s._…:-]+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and its value, whose lines are joined by line feeds.

    `sure`: a colon, the number of a row, or a cell of its own parts the value from the label.
    `weak`: the label is a single word, which may label another's value. `apart`: the value stands in
    a cell of its own, beside or below the label.
    """

    field: str
    label: str
    value: str
    span: Span
    sure: bool
    weak: bool
    apart: bool = False


@cache
def labels() -> dict[str, str]:
    """The labels of the table with their fields; of two fields the first in the table."""
    fields: dict[str, str] = {}
    for row in table("field_labels"):
        for label in row["labels"].split("|"):
            fields.setdefault(folded(label), row["field"])
    return fields


@cache
def _first_words() -> frozenset[str]:
    return frozenset(label.split()[0] for label in labels() if label)


@cache
def _long_labels() -> tuple[str, ...]:
    return tuple(label for label in labels() if len(label) >= tunables.LONG_LABEL)


@dataclass(frozen=True, slots=True)
class _Label:
    """What a cell begins with; the value begins behind `end`, where it is in the same cell."""

    field: str
    text: str
    end: int
    parted: bool


def find_pairs(text: Text) -> list[Pair]:
    """The labelled values of the first pages, in the order of the text."""
    cells = cells_of(text)
    at = [_label_of(cell) for cell in cells]
    layout = _Layout(text, cells, at)
    pairs = []
    for index, label in enumerate(at):
        if label is None:
            continue
        pair = layout.pair(index, label)
        if label.field in OVER_THEIR_LABELS and not _has_digit(pair):
            pair = layout.above(index, label) or pair
        if pair is not None:
            pairs.append(pair)
    return pairs


def _has_digit(pair: Pair | None) -> bool:
    return pair is not None and any(map(str.isdigit, pair.value))


def _label_of(cell: Cell) -> _Label | None:
    """The longest label that the cell begins with."""
    numbering = None
    start = 0
    end, field = _longest(cell.text, start, is_ocr=cell.is_ocr)
    if not field:
        # “C.I.F.” is a label itself, and no number of a row.
        numbering = NUMBERING.match(cell.text)
        if not numbering:
            return None
        start = numbering.end()
        end, field = _longest(cell.text, start, is_ocr=cell.is_ocr)
    if not field:
        return None
    own = cell.text[start:end]
    end = _behind_translation(cell.text, end)
    colon = COLON.match(cell.text, end)
    parted = bool(numbering or colon) or own.rstrip().endswith((":", "\uff1a"))
    if colon:
        end = colon.end()
    return _Label(field, folded(own), end, parted)


def _longest(text: str, start: int, *, is_ocr: bool) -> tuple[int, str]:
    ends = [match.end() for match in WORD_END.finditer(text, start)]
    ends = ends[: tunables.LABEL_WORDS]
    if not ends:
        return 0, ""
    for mark in (":", "\uff1a"):
        at = text.find(mark, start, ends[-1])
        if at > start:
            ends.append(at)
    first = folded(text[start : ends[0]]).split()
    may_be_label = is_ocr or (bool(first) and first[0] in _first_words())
    if not may_be_label:
        return 0, ""
    for end in sorted(ends, reverse=True):
        field = _field_of(folded(text[start:end]), is_ocr=is_ocr)
        if field:
            return end, field
    return 0, ""


def _field_of(head: str, *, is_ocr: bool) -> str:
    """The field of a label; OCR may have misread a letter of a long one."""
    known = labels()
    if head in known:
        return known[head]
    if is_ocr and len(head) >= tunables.LONG_LABEL:
        match = process.extractOne(
            head,
            _long_labels(),
            scorer=fuzz.ratio,
            score_cutoff=tunables.LIKE_A_LABEL,
        )
        if match:
            return known[match[0]]
    return ""


def _behind_translation(text: str, end: int) -> int:
    """Behind a bracket, or the same label in another language, or in front of a colon."""
    bracket = BRACKET.match(text, end)
    if bracket:
        end = bracket.end()
    mark = TRANSLATED.match(text, end)
    if not mark:
        return end
    other, field = _longest(text, mark.end(), is_ocr=False)
    if field:
        return _behind_translation(text, other)
    # A translation that the table does not have ends at the colon.
    colon = UP_TO_COLON.match(text, mark.end())
    return colon.end() if colon else end


@dataclass(frozen=True)
class _Layout:
    text: Text
    cells: Sequence[Cell]
    labels: Sequence[_Label | None]

    def pair(self, index: int, label: _Label) -> Pair | None:
        cell = self.cells[index]
        rest = cell.text[label.end :]
        leaders = LEADERS.match(rest)
        offset = label.end
        if leaders:
            offset += leaders.end()
        if cell.text[offset:].strip():
            start = cell.span.start + offset
            first = Span(start, cell.span.end)
            column = self._column(first)
            return self._pair(label, index, first, column, sure=label.parted)
        value = self._beside(index)
        # Beside each other, the heads of columns have cells on their left, and so have the values.
        in_columns = value is None and self._has_left(index)
        if value is None:
            value = self._under(cell, cell.box.x0)
        if value is None:
            return None
        at = self.cells[value]
        pair = self._pair(
            label, value, at.span, at.box.x0, sure=True, in_columns=in_columns
        )
        return replace(pair, apart=True)

    def above(self, index: int, label: _Label) -> Pair | None:
        """The value that stands over its label, as on certificates that caption what they state."""
        own = self.cells[index].box
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            step = own.y0 - box.y0
            reach = tunables.CELL_STEP * max(own.height, box.height)
            if box.page != own.page or not 0.3 * own.height < step <= reach:
                continue
            # One is as wide as the other, or begins or ends in its column.
            if box.x1 <= own.x0 or box.x0 >= own.x1:
                continue
            if best is None or box.y0 > self.cells[best].box.y0:
                best = other
        best = self._value(best)
        if best is None:
            return None
        at = self.cells[best]
        weak = " " not in label.text
        return Pair(
            label.field, label.text, at.text, at.span, sure=True, weak=weak, apart=True
        )

    def _pair(
        self,
        label: _Label,
        index: int,
        first: Span,
        column: float,
        *,
        sure: bool,
        in_columns: bool = False,
    ) -> Pair:
        lines = [self.text.value[first.start : first.end]]
        end = first.end
        most = tunables.NAME_LINES
        if label.field == "address":
            most = tunables.ADDRESS_LINES
        for other in self._continued(index, column, most - 1, in_columns=in_columns):
            more = self.cells[other]
            lines.append(more.text)
            if more.span.start - end <= 2:
                end = more.span.end
        weak = " " not in label.text
        span = Span(first.start, end)
        value = "\n".join(lines)
        return Pair(label.field, label.text, value, span, sure=sure, weak=weak)

    def _column(self, value: Span) -> float:
        """Where the value in a cell begins."""
        return self.text.words(value)[0].box.x0

    def _beside(self, index: int) -> int | None:
        """The next cell on the same row, if it is no label itself."""
        own = self.cells[index].box
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            if other == index or box.page != own.page or box.x0 < own.x1:
                continue
            if box.shared_rows(own) < 0.5:
                continue
            if best is None or box.x0 < self.cells[best].box.x0:
                best = other
        return self._value(best)

    def _under(self, above: Cell, column: float) -> int | None:
        """The next cell below that begins in the column, if it is no label."""
        own = above.box
        reach = tunables.CELL_STEP * own.height
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            step = box.y0 - own.y0
            if box.page != own.page or not 0.3 * own.height < step <= reach:
                continue
            if abs(box.x0 - column) > tunables.SAME_COLUMN:
                continue
            if best is None or box.y0 < self.cells[best].box.y0:
                best = other
        return self._value(best)

    def _value(self, index: int | None) -> int | None:
        if index is None or self._is_label(index):
            return None
        return index

    def _is_label(self, index: int) -> bool:
        """“CALLE BILBAO 7” beside a label is its value, though “calle” alone is a label, too."""
        label = self.labels[index]
        if label is None:
            return False
        is_whole = not self.cells[index].text[label.end :].strip()
        return is_whole or label.parted or " " in label.text

    def _continued(
        self, index: int, column: float, most: int, *, in_columns: bool
    ) -> list[int]:
        """The cells under a value, as long as nothing stands left of them on their row."""
        lines: list[int] = []
        above = self.cells[index]
        while len(lines) < most and not LAST_OF_ADDRESS.match(above.text):
            under = self._under(above, column)
            if under is None or (self._has_left(under) and not in_columns):
                break
            lines.append(under)
            above = self.cells[under]
        return lines

    def _has_left(self, index: int) -> bool:
        own = self.cells[index].box
        for cell in self.cells:
            box = cell.box
            is_left = box.page == own.page and box.x1 <= own.x0
            if is_left and box.shared_rows(own) >= 0.5:
                return True
        return False
