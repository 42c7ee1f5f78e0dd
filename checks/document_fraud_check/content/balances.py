"""Running balances: each balance of a statement is the one before it, and the amount between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from checks.document_fraud_check import tunables
from checks.document_fraud_check.content.sums import A_DAY, labels_of
from checks.text.folding import folded
from checks.text.words import Line, Word
from papers.geometry import Box

# An amount with two decimals, as statements print it: 1,234.56, 1.234,56, 12,34,567.89, -12.00, £12.00.
CENTS = re.compile(
    r"^[^\w.,]{0,3}(\d{1,3}(?:[.,'\u2019]?\d{3})*|\d{1,2}(?:,\d{2})+,\d{3})[.,](\d{2})\)?(?:CR|DR)?-?$",
    re.IGNORECASE,
)
# The parts of an amount with spaces between its thousands: 1 234 567,89.
BEGINNING = re.compile(r"^[^\w.,]{0,3}\d{1,3}$")
GROUP = re.compile(r"^\d{3}$")
REST = re.compile(r"^\d{3}[.,]\d{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class BrokenBalance:
    """A balance that does not follow from the one before it. Amounts are in cents."""

    due: int
    stated: int
    boxes: tuple[Box, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A transaction: its line, its amount and the balance after it."""

    line: Line
    amount: int
    balance: int


# A transaction, and the next one.
_Step = tuple[_Row, _Row]


def broken_balance(lines: Sequence[Line]) -> BrokenBalance | None:
    """Return the balance that does not follow, if nearly all others of the statement do.

    Of a table in which several do not follow it is not known how it is to be read.
    """
    steps = _steps(lines)
    opening = labels_of("statement", "opening", "brought")
    closing = labels_of("statement", "closing", "carried")
    # Some banks print the newest transaction first. The order in which most balances follow counts.
    backwards = [(after, before) for before, after in steps]
    broken = min(
        _broken([*steps, *_ends(lines, opening, closing)]),
        _broken([*backwards, *_ends(lines, closing, opening, newest_first=True)]),
        key=len,
    )
    # A changed amount breaks one step. A changed balance breaks the two that it belongs to.
    if not 1 <= len(broken) <= 2 or not _share_row(broken):
        return None
    if len(steps) - len(broken) < tunables.HOLDING_BALANCES:
        return None
    return broken[0]


def _share_row(broken: Sequence[BrokenBalance]) -> bool:
    """Whether all that is broken may be due to one row."""
    return bool(set(broken[0].boxes) & set(broken[-1].boxes))


def _broken(steps: Sequence[_Step]) -> list[BrokenBalance]:
    broken: list[BrokenBalance] = []
    for earlier, later in steps:
        step = later.balance - earlier.balance
        # The sign of an overdrawn balance is often told by a word or a colour alone. Where the
        # balance crosses zero, the amount is the sum of both.
        if later.amount in (abs(step), earlier.balance + later.balance):
            continue
        # The sign of an amount is often told by its column alone.
        sign = 1 if step > 0 else -1
        due = earlier.balance + sign * later.amount
        boxes = (earlier.line.box, later.line.box)
        broken.append(BrokenBalance(due, later.balance, boxes, later.line.text))
    return broken


def _steps(lines: Sequence[Line]) -> list[_Step]:
    """Return neighbouring transactions of one page, with no other amount between them."""
    steps: list[_Step] = []
    last: _Row | None = None
    for line in lines:
        # A description may run on in a second line.
        if not _amounts(line):
            continue
        # Another line with amounts is a total, or a balance that is carried forward.
        row = _row(line)
        if last and row and last.line.box.page == line.box.page:
            steps.append((last, row))
        last = row
    return steps


def _row(line: Line) -> _Row | None:
    amounts = _amounts(line)
    if len(amounts) != 2 or not A_DAY.search(line.text):
        return None
    return _Row(line, *amounts)


def _ends(
    lines: Sequence[Line],
    above: Sequence[str],
    below: Sequence[str],
    *,
    newest_first: bool = False,
) -> list[_Step]:
    """Return the first and last transaction of the table, each with the balance beside it.

    Above the table the other lines of a summary may stand between them. Below it none may: there
    the summary may speak of pages that were not sent.
    """
    steps: list[_Step] = []
    start: _Row | None = None
    last: _Row | None = None
    page_of: dict[int, int] = {}
    for line in lines:
        amounts = _amounts(line)
        if not amounts:
            continue
        row, end = _row(line), _balance(line, below)
        if row and start and start.line.box.page == line.box.page:
            steps.append((start, row))
        if end and last and last.line.box.page == line.box.page:
            steps.append((last, end))
        if row or len(amounts) > 1:
            start = None
        beginning = _balance(line, above)
        page = line.box.page
        # A summary at the head of each page states the same balance again: no transaction follows it.
        if beginning and page_of.setdefault(beginning.balance, page) == page:
            start = beginning
        last = row
    if newest_first:
        return [(later, earlier) for earlier, later in steps]
    return steps


def _balance(line: Line, labels: Sequence[str]) -> _Row | None:
    """Return a line that states nothing but a balance, with one of these labels."""
    amounts = _amounts(line)
    if len(amounts) != 1:
        return None
    text = f" {folded(line.text)} "
    if not any(f" {label} " in text for label in labels):
        return None
    return _Row(line, 0, amounts[0])


def _amounts(line: Line) -> list[int]:
    amounts = []
    for index, word in enumerate(line.words):
        match = CENTS.match(word.text)
        if match:
            thousands = "".join(part.text for part in thousands_before(line, index))
            digits = re.sub(r"\D", "", thousands + match[1])
            amounts.append(int(digits + match[2]))
    return amounts


def thousands_before(line: Line, index: int) -> Sequence[Word]:
    """Return the words that are the thousands of an amount with spaces: 12 of “12 345,67”."""
    start = index
    if not REST.match(line.words[index].text):
        return ()
    while start and _is_joined(line.words[start - 1], line.words[start]):
        start -= 1
        if not GROUP.match(line.words[start].text):
            break
    return line.words[start:index]


def _is_joined(part: Word, word: Word) -> bool:
    """Whether only a space is between them. The gap between two columns is wider."""
    gap = word.box.x0 - part.box.x1
    letter = word.box.width / len(word.text)
    return (
        gap < tunables.THOUSANDS_GAP * letter and BEGINNING.match(part.text) is not None
    )
