"""The labelled cells of a letter or bill: whose paper it is, which place is served, and who else is named.

The words of a column stand in blocks of their own, so that a label and its value are apart in the text by
blocks. Here they are put together by their places on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from checks.data import table
from checks.evidence import Evidence
from checks.fields import tunables as of_fields
from checks.fields.addresses.whole import address_of_lines
from checks.fields.layout.cells import Cell, cells_of
from checks.proof_of_address import tunables
from checks.proof_of_address.totals import words as words_of_bills
from checks.text.folding import folded
from checks.text.words import Span
from papers.geometry import Box

HOLDER, SERVED, PARTY, ISSUER = "holder", "served", "party", "issuer"
ADDRESS = "address"
# “Name” alone names the holder in a form that has the address in the next field, and no second name.
FORM_NAME = "form_name"
# The kinds of labels of a sum in the table of words of bills.
SUMS = ("due", "gross", "plain", "partial")
# A postal code has at least four digits, or pairs of three.
POSTAL_CODE = re.compile(r"\d{4}|\d{2}-\d{3}|\d{3} \d{2,3}")
COLON = re.compile(r"\s*:\s*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A label with the lines of its value. `spans` are those of the lines, in the text of the page.

    `box` is that of the cell of the label.
    """

    kind: str
    label: str
    lines: Sequence[str]
    spans: Sequence[Span]
    box: Box


@dataclass(frozen=True, slots=True)
class _Label:
    kind: str
    text: str
    end: int  # where the value begins, if it stands in the same cell
    # The value in the same cell, if a gap parts it from the label: its next lines stand below it.
    value: Cell | None = None


@cache
def _labels() -> Mapping[str, str]:
    """Return the labels with their kinds. The first kind in the table has a label of several."""
    kinds = {folded(words): ISSUER for words in words_of_bills(ISSUER)}
    for row in table("letter_words"):
        for words in row["words"].split("|"):
            kinds.setdefault(folded(words), row["kind"])
    return kinds


@cache
def _captions() -> frozenset[str]:
    """Return the labels of sums. Beside the label of a name they begin the next column."""
    captions: set[str] = set()
    for kind in SUMS:
        captions.update(map(folded, words_of_bills(kind)))
    return frozenset(captions)


def entries_of(evidence: Evidence) -> list[Entry]:
    """Return the labelled cells, for `Evidence.once`."""
    cells = cells_of(evidence.text)
    at: list[_Label | None] = []
    for cell in cells:
        label = _label_of(cell) or _label_before_gap(cell)
        is_short = label is not None and label.kind in {ADDRESS, FORM_NAME}
        at.append(None if is_short and _goes_on(cells, at, cell) else label)
    entries = []
    for index, label in enumerate(at):
        if label is None:
            continue
        entry = _entry(cells, at, index, label)
        if entry is not None:
            entries.append(entry)
    return _with_form_name(entries)


def _with_form_name(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with the name of a form as that of the holder, if the form has one name."""
    others = [entry for entry in entries if entry.kind != FORM_NAME]
    names = [entry for entry in entries if entry.kind == FORM_NAME]
    if len(names) != 1 or _address_below(entries, names[0]) is None:
        return others
    return [*others, replace(names[0], kind=HOLDER)]


def of_kind(evidence: Evidence, *kinds: str) -> list[Entry]:
    return [entry for entry in evidence.once(entries_of) if entry.kind in kinds]


def address_below(evidence: Evidence, party: Entry) -> Entry | None:
    """Return the next label of an address in the column of the label of a party, with its value.

    A label of another party between them begins a block of its own.
    """
    return _address_below(evidence.once(entries_of), party)


def _address_below(entries: Sequence[Entry], party: Entry) -> Entry | None:
    below = []
    for entry in entries:
        if entry.kind not in {ADDRESS, HOLDER, PARTY, ISSUER}:
            continue
        step = entry.box.y0 - party.box.y0
        is_same_column = abs(entry.box.x0 - party.box.x0) <= of_fields.SAME_COLUMN
        is_on_page = entry.box.page == party.box.page
        if is_on_page and is_same_column and step > 0:
            below.append((step, entry))
    if not below:
        return None
    step, first = min(below, key=lambda item: item[0])
    is_near = step <= tunables.FORM_STEP * party.box.height
    return first if first.kind == ADDRESS and is_near else None


def _label_of(cell: Cell) -> _Label | None:
    """Return the label, if the cell is one as a whole or up to a colon."""
    kind = _kind_of_label(cell.text)
    if kind:
        return _Label(kind, cell.text.strip(" :"), len(cell.text))
    colon = COLON.search(cell.text)
    if colon is None:
        return None
    head = cell.text[: colon.start()]
    kind = _kind_of_label(head)
    return _Label(kind, head.strip(), colon.end()) if kind else None


def _label_before_gap(cell: Cell) -> _Label | None:
    """Return the label of a narrow table, whose value stands in the same cell behind the widest gap."""
    words = cell.words
    gaps = []
    for word, following in pairwise(words):
        left, right = (following, word) if cell.is_mirrored else (word, following)
        gaps.append(right.box.x0 - left.box.x1)
    if len(gaps) < 2:
        return None
    widest, second = sorted(gaps, reverse=True)[:2]
    if widest <= 0 or widest < tunables.LABEL_GAP * second:
        return None
    count = gaps.index(widest) + 1
    head = " ".join(word.text for word in words[:count])
    kind = _kind_of_label(head)
    end = cell.text.find(words[count].text, len(head))
    if not kind or end <= 0:
        return None
    span = Span(cell.span.start + end, cell.span.end)
    value = replace(cell, words=words[count:], text=cell.text[end:], span=span)
    return _Label(kind, head, end, value)


def _goes_on(cells: Sequence[Cell], at: Sequence[_Label | None], cell: Cell) -> bool:
    """Whether the first word is the last one of a label that begins on the line above: “Service” / “Address”."""
    first = cell.text.split(" ")[0]
    reach = of_fields.NEXT_LINE * cell.box.height
    for above, label in zip(cells, at, strict=False):
        step = cell.box.y0 - above.box.y0
        is_near = above.box.page == cell.box.page and 0 < step <= reach
        if label is not None:
            continue
        if not is_near or abs(above.box.x0 - cell.box.x0) > of_fields.SAME_COLUMN:
            continue
        if _kind_of_label(f"{above.text.split(' ')[0]} {first}"):
            return True
    return False


# The number of a field of a form: “1. Imię i nazwisko”, “Section 3 Tenant”.
NUMBERED = re.compile(
    r"^(?:\W?\d{1,2}[.)]|(?:section|item|part) \d{1,2}[.):]?)\s+", re.IGNORECASE
)


def _kind_of_label(text: str) -> str | None:
    """Return the kind of a label, also with the number of its field, or in two languages."""
    label = NUMBERED.sub("", text)
    for part in (label, *label.split(" / ")):
        kind = _labels().get(folded(part))
        if kind:
            return kind
    return None


def _entry(
    cells: Sequence[Cell], at: Sequence[_Label | None], index: int, label: _Label
) -> Entry | None:
    label_cell = cells[index]
    if label.end < len(label_cell.text):
        start = label_cell.span.start + label.end
        lines = [label_cell.text[label.end :]]
        spans = [Span(start, label_cell.span.end)]
        if label.kind == ADDRESS and not POSTAL_CODE.search(lines[0]):
            # The line below has the rest of a long address.
            above = label.value or label_cell
            rest = list(_lines_below(cells, at, above, is_row=True))[:1]
            lines += [cell.text for cell in rest]
            spans += [cell.span for cell in rest]
        return Entry(label.kind, label.text, lines, spans, label_cell.box)
    beside = _beside(cells, index)
    is_caption = beside is not None and folded(cells[beside].text) in _captions()
    if beside is not None and at[beside] is None and not is_caption:
        column = [cells[beside], *_below(cells, at, beside, is_row=True)]
        under = _below(cells, at, index, is_row=False)
        if label.kind == HOLDER and _has_address(under) and not _has_address(column):
            # Two headings beside each other, each with its own lines below.
            column = under
    else:
        column = _below(cells, at, index, is_row=False)
    if not column:
        return None
    lines = [cell.text for cell in column]
    spans = [cell.span for cell in column]
    return Entry(label.kind, label.text, lines, spans, label_cell.box)


def _has_address(column: Sequence[Cell]) -> bool:
    """Whether an address stands below the first line of a column."""
    return address_of_lines("\n".join(cell.text for cell in column[1:]), "") is not None


def _beside(cells: Sequence[Cell], index: int) -> int | None:
    """Return the next cell on the row."""
    box = cells[index].box
    best: int | None = None
    for other, cell in enumerate(cells):
        is_right = cell.box.page == box.page and cell.box.x0 >= box.x1
        if not is_right or cell.box.shared_rows(box) < tunables.SHARED:
            continue
        if best is None or cell.box.x0 < cells[best].box.x0:
            best = other
    return best


def _below(
    cells: Sequence[Cell], at: Sequence[_Label | None], index: int, *, is_row: bool
) -> list[Cell]:
    """Return the lines below a cell in its column, up to a label or a gap.

    `is_row`: the cell stands beside its label. Then a line with a cell on its left begins the next row.
    """
    return list(_lines_below(cells, at, cells[index], is_row=is_row))


def _lines_below(
    cells: Sequence[Cell], at: Sequence[_Label | None], above: Cell, *, is_row: bool
) -> Iterator[Cell]:
    # A heading is farther from the first line below it than the lines are from each other.
    steps = of_fields.NEXT_LINE if is_row else of_fields.CELL_STEP
    reach = steps * above.box.height
    for _ in range(of_fields.ADDRESS_LINES):
        under = _under(cells, above, reach)
        if under is None or at[under] is not None:
            return
        if is_row and _has_left(cells, under):
            return
        # Capitals are low for the space between their lines, so that the step before counts, too.
        step = cells[under].box.y0 - above.box.y0
        above = cells[under]
        reach = max(of_fields.NEXT_LINE * above.box.height, step * tunables.SAME_STEP)
        yield above


def _under(cells: Sequence[Cell], above: Cell, reach: float) -> int | None:
    box = above.box
    best: int | None = None
    for other, cell in enumerate(cells):
        step = cell.box.y0 - box.y0
        is_near = tunables.SAME_ROW * box.height < step <= reach
        is_under = abs(cell.box.x0 - box.x0) <= of_fields.SAME_COLUMN
        if cell.box.page != box.page or not is_near or not is_under:
            continue
        if best is None or cell.box.y0 < cells[best].box.y0:
            best = other
    return best


def _has_left(cells: Sequence[Cell], index: int) -> bool:
    box = cells[index].box
    for cell in cells:
        is_left = cell.box.page == box.page and cell.box.x1 <= box.x0
        if is_left and cell.box.shared_rows(box) >= tunables.SHARED:
            return True
    return False
