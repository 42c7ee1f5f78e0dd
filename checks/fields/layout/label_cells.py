"""Cells that are labels: they begin with a label of the table. The longest label counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz, process

from checks.data import table
from checks.fields import tunables
from checks.fields.layout.cells import Cell
from checks.text.characters import has_digit
from checks.text.folding import folded

# `1`, `2a.`, `(iii)`, `b)`: the number of a row in a form.
NUMBERING = re.compile(
    r"(?:\s*(?:[\u2460-\u2473]|\(?(?:\d{1,2}[a-z]?|[a-z]|[ivx]{1,4})[.)\]]+|\d{1,2}[a-z]?(?=\s))\s*){1,2}",
    re.IGNORECASE,
)
WORD_END = re.compile(r"\S+")
# The mark between a label and its translation, and a remark in brackets.
TRANSLATED = re.compile(r"\s*[/|·•\u2013-]\s*(?=\S)")
BRACKET = re.compile(r"\s*\([^)\n]{1,60}\)")
# “FME (Folio mercantil electrónico)”: a short form, and the label that it stands for.
SHORT_FORM = re.compile(r"\s*[A-Z][A-Z.]{1,7}\s*\((?P<label>[^)\n]{4,60})\)")
COLON = re.compile(r"\s*[.]{0,3}\s*[:\uff1a]\s*")
# Words of another language, up to the colon that ends the label.
UP_TO_COLON = re.compile(r"[^:\n]{2,60}(?=:)")
PARTS_OF_ADDRESS = frozenset({"street", "state", "city", "locality", "postcode"})
# Marks between a label and its translation belong to neither.
MARKS_BEHIND = " /|\u00b7\u2022\u2013-"


@cache
def labels(name: str = "field_labels") -> dict[str, str]:
    """Return the labels of a table in `checks/data` with their fields.

    If two fields share a label, the first in the table has it.
    """
    fields: dict[str, str] = {}
    for row in table(name):
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
    """A label at the beginning of a cell.

    If the value is in the same cell, it begins at `end`. `parted`: a colon or the number of a row
    separates the label from it.
    """

    field: str
    text: str
    end: int
    parted: bool
    # The number of a row stands before it.
    is_numbered: bool = False
    # The index of the cell with the second line of the label, if a narrow column broke it.
    second: int | None = None


def join_broken(cells: Sequence[Cell], at: list[Label | None]) -> None:
    """Join labels that a narrow column breaks into two lines.

    The second line gets a label with the field "", so that it is not read as a value.
    """
    for index, cell in enumerate(cells):
        own = at[index]
        # A complete label needs no second line. A label with text behind it may be only the
        # beginning of a longer one.
        if own and (own.parted or not cell.text[own.end :].strip()):
            continue
        below = _line_below(cells, index)
        if below is None or (own and at[below]):
            continue
        whole = folded(_joined(cell.text, cells[below].text))
        numbering = NUMBERING.match(cell.text)
        if numbering and whole not in labels():
            whole = folded(_joined(cell.text[numbering.end() :], cells[below].text))
        field = labels().get(whole)
        if field:
            at[index] = Label(field, whole, len(cell.text), parted=True, second=below)
            at[below] = Label("", whole, len(cells[below].text), parted=True)


def _joined(first: str, second: str) -> str:
    """Join two lines; a hyphen within a word goes: “registrerings-” and “datum”."""
    if first.endswith(("-", "\u2010", "\u00ad")) and second[:1].islower():
        return first[:-1] + second
    return f"{first} {second}"


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
    """Return the longest label with which the cell begins, or None."""
    numbering = None
    start = 0
    end, field = _longest(cell.text, start, is_ocr=cell.is_ocr)
    short = SHORT_FORM.match(cell.text)
    if not field and short:
        end, field = short.end(), labels().get(folded(short["label"]), "")
    if not field:
        # “C.I.F.” looks like the number of a row, but is a label. So the whole text is tried before
        # the number is removed.
        numbering = NUMBERING.match(cell.text)
        if not numbering:
            return None
        start = numbering.end()
        end, field = _longest(cell.text, start, is_ocr=cell.is_ocr)
    if not field:
        return None
    own = cell.text[start:end].rstrip(MARKS_BEHIND)
    if numbering and field in PARTS_OF_ADDRESS:
        # “88 rue Saint-Germain” is an address: “rue” is also a label, but the house number is no
        # row number.
        return None
    end = start + len(own)
    end = _behind_translation(cell.text, end)
    colon = COLON.match(cell.text, end)
    parted = bool(numbering or colon) or own.rstrip().endswith((":", "\uff1a"))
    if colon:
        end = colon.end()
    is_numbered = bool(numbering) and not colon
    return Label(field, folded(own), end, parted, is_numbered=is_numbered)


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
    # A quick check that spares most cells the search. It cannot be used for OCR, which may have
    # misread the first word.
    may_be_label = is_ocr or (bool(first) and first[0] in _first_words())
    if not may_be_label:
        return 0, ""
    # The longest first: “name of the company” must not be read as “name”.
    for end in sorted(ends, reverse=True):
        field = _field_of(folded(text[start:end]), is_ocr=is_ocr)
        if field:
            return end, field
    return 0, ""


def _field_of(head: str, *, is_ocr: bool) -> str:
    """Return the field of a label. OCR may have misread one letter of a long label."""
    known = labels()
    if head in known:
        return known[head]
    # A short label with one wrong letter is often another word.
    # A digit is never a misread letter of a label: “Company Number 647” has the beginning of the value.
    is_long = len(head) >= tunables.LONG_LABEL
    if is_ocr and is_long and not has_digit(head):
        match = process.extractOne(
            head,
            _long_labels(),
            scorer=fuzz.ratio,
            score_cutoff=tunables.LIKE_A_LABEL,
        )
        if match and _has_same_words(head, match[0]):
            return known[match[0]]
    return ""


def _has_same_words(head: str, label: str) -> bool:
    """Whether each word is like its own of the label: “number of establishment” is not “name of establishment”."""
    own, others = head.split(), label.split()
    if len(own) != len(others):
        # OCR has lost or added a blank.
        is_same = "".join(own) == "".join(others)
        return is_same or abs(len(own) - len(others)) == 1
    return all(
        fuzz.ratio(word, other) >= tunables.LIKE_A_WORD
        for word, other in zip(own, others, strict=True)
    )


def _behind_translation(text: str, end: int) -> int:
    """Return the end of the label including a remark in brackets and its translation."""
    bracket = BRACKET.match(text, end)
    if bracket:
        end = bracket.end()
    mark = TRANSLATED.match(text, end)
    if not mark:
        return end
    other, field = _longest(text, mark.end(), is_ocr=False)
    if field:
        return _behind_translation(text, other)
    # A translation that is not in the table ends at the colon.
    colon = UP_TO_COLON.match(text, mark.end())
    return colon.end() if colon else end
