"""Which cells are labels: the longest label of the table that a cell begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz, process

from checks.data import table
from checks.fields import tunables
from checks.fields.labels.cells import Cell
from checks.fields.names.companies import folded

# `1`, `2a.`, `(iii)`, `b)`: the number of a row.
NUMBERING = re.compile(
    r"(?:\s*(?:[\u2460-\u2473]|\(?(?:\d{1,2}[a-z]?|[a-z]|[ivx]{1,4})[.)\]]+|\d{1,2}[a-z]?(?=\s))\s*){1,2}",
    re.IGNORECASE,
)
WORD_END = re.compile(r"\S+")
# Between a label and its translation, and what a bracket adds to it.
TRANSLATED = re.compile(r"\s*[/|·•\u2013-]\s*(?=\S)")
BRACKET = re.compile(r"\s*\([^)\n]{1,60}\)")
COLON = re.compile(r"\s*[.]{0,3}\s*[:\uff1a]\s*")
# Words of another language, up to the colon that ends the label.
UP_TO_COLON = re.compile(r"[^:\n]{2,60}(?=:)")
PARTS_OF_ADDRESS = frozenset({"street", "state", "city", "locality", "postcode"})
# Marks between a label and its translation belong to neither.
MARKS_BEHIND = " /|\u00b7\u2022\u2013-"


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
class Label:
    """What a cell begins with; the value begins behind `end`, where it is in the same cell."""

    field: str
    text: str
    end: int
    parted: bool
    # The cell that holds the second line of the label.
    second: int | None = None


def join_broken(cells: Sequence[Cell], at: list[Label | None]) -> None:
    """Labels that a narrow column breaks in two: the second line has the field "" from here on."""
    for index, cell in enumerate(cells):
        own = at[index]
        if own and (own.parted or not cell.text[own.end :].strip()):
            continue
        below = _line_below(cells, index)
        if below is None or at[below]:
            continue
        whole = folded(f"{cell.text} {cells[below].text}")
        numbering = NUMBERING.match(cell.text)
        if numbering and whole not in labels():
            whole = folded(f"{cell.text[numbering.end() :]} {cells[below].text}")
        field = labels().get(whole)
        if field:
            at[index] = Label(field, whole, len(cell.text), parted=True, second=below)
            at[below] = Label("", whole, len(cells[below].text), parted=True)


def _line_below(cells: Sequence[Cell], index: int) -> int | None:
    own = cells[index].box
    for other in range(index + 1, len(cells)):
        box = cells[other].box
        step = box.y0 - own.y0
        if box.page != own.page or step > tunables.NEXT_LINE * own.height:
            return None
        is_below = step > 0.3 * own.height
        if is_below and abs(box.x0 - own.x0) <= tunables.SAME_COLUMN:
            return other
    return None


def label_of(cell: Cell) -> Label | None:
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
    own = cell.text[start:end].rstrip(MARKS_BEHIND)
    if numbering and field in PARTS_OF_ADDRESS:
        # “88 rue Saint-Germain”
        return None
    end = start + len(own)
    end = _behind_translation(cell.text, end)
    colon = COLON.match(cell.text, end)
    parted = bool(numbering or colon) or own.rstrip().endswith((":", "\uff1a"))
    if colon:
        end = colon.end()
    return Label(field, folded(own), end, parted)


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
