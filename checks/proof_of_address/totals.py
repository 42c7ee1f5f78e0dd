"""The total of a bill: a labelled amount that the bill adds up to or states a second time.

An amount with one label only is unsure. So are two amounts with labels of a total: what the bill
charges, and what is left to pay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from checks.data import table
from checks.evidence import Evidence
from checks.extraction.tool import Fact
from checks.fields.addresses.addressees import blocks_of
from checks.fields.amounts import Amount, Sums, sums_of
from checks.fields.extracted import ExtractedValue
from checks.proof_of_address import tunables

# Types of document that charge for something. The empty code is a document of unknown type.
BILLS = frozenset({"utility_bill", "invoice", "tax_document", "insurance_policy", ""})
LEFT, RIGHT = "left", "right"
NO_SUM = "not found in the text"
NO_BILL = "a document of this kind has no sum to be paid"
UNSURE = "one reading only, or several that differ: what it may be is listed, and a person decides"


@dataclass(frozen=True, slots=True)
class _Label:
    kind: str
    text: str
    amount: Amount


@cache
def words(kind: str) -> tuple[str, ...]:
    """Return the words of one kind from the table, the longest first."""
    own: list[str] = []
    for row in table("bill_words"):
        if row["kind"] == kind:
            own += row["words"].split("|")
    return tuple(sorted(set(own), key=lambda word: (-len(word), word)))


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    # “Totaal incl. btw”: the table has the words without full stops and brackets.
    several = "|".join(
        r"[.:]?\s+\(?".join(map(re.escape, word.split())) for word in words(kind)
    )
    return re.compile(rf"(?<!\w)(?:{several})(?!\w)", re.IGNORECASE)


@cache
def _partial() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words('partial'))})(?!\w)", re.IGNORECASE)


def total_of(evidence: Evidence, kind: str, country: str) -> Fact:
    """Return the total as `EUR 131.48`, or its candidates if it is unsure.

    Spans belong to `blocks_of`.
    """
    # A bank statement has amounts, but nothing to be paid.
    if kind not in BILLS:
        return Fact(None, None, NO_BILL)
    sums = evidence.once(sums_of)
    labelled = list(_labelled(sums))
    # “Total” alone also labels subtotals. It counts only if no label such as “amount due” is there.
    strong = [label for label in labelled if label.kind != "plain"]
    named = strong or labelled
    values = Counter(label.amount.value for label in named)
    if not values:
        return Fact(None, None, NO_SUM)
    several = list(values)
    confirmed = {value: _confirmation(sums, labelled, value) for value in several}
    sure = [value for value in several if confirmed[value]]
    is_one = len(several) == 1 and len(sure) == 1
    chosen = several[0]
    if not is_one:
        # Several amounts have a label. One of them is the total if it is confirmed and is both the
        # charged and the due amount.
        gross = {label.amount.value for label in strong if label.kind == "gross"}
        due = {label.amount.value for label in strong if label.kind == "due"}
        agreed = [value for value in sure if value in gross and value in due]
        if len(agreed) == 1:
            chosen, is_one = agreed[0], True
    candidates = []
    for value in [chosen, *(other for other in several if other != chosen)]:
        label = next(label for label in named if label.amount.value == value)
        candidates.append(_extracted(evidence, sums, label, country, confirmed[value]))
    if is_one:
        return Fact(candidates[0].value, candidates[0])
    return Fact(None, None, UNSURE, tuple(candidates[: tunables.CANDIDATES]))


def _extracted(
    evidence: Evidence, sums: Sums, label: _Label, country: str, confirmation: str
) -> ExtractedValue[str]:
    amount = label.amount
    code = amount.currency(country) or _only_currency(sums, country)
    value = f"{code} {amount.value:.2f}".strip()
    how = f"labelled “{label.text}”"
    confidence = tunables.ONE_SIGN
    if confirmation:
        how = f"{how}; {confirmation}"
        confidence = tunables.SURE
    words_of_amount = evidence.text.words(amount.span)
    span = evidence.once(blocks_of).span_of(words_of_amount) or amount.span
    return ExtractedValue(value, span, how, confidence)


def _only_currency(sums: Sums, country: str) -> str:
    codes = {amount.currency(country) for amount in sums.amounts} - {""}
    if not codes:
        # The heading of a column, or a line such as “Amounts in CHF”, may name the currency once
        # for all.
        for cell in sums.cells:
            codes |= set(_CODE.findall(cell.text))
    return codes.pop() if len(codes) == 1 else ""


_CODE = re.compile(r"\b(?:EUR|USD|GBP|CHF|CAD|AUD|NZD|INR|SGD|HKD|AED|NGN|ZAR|KES|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|MXN|BRL|PHP|MYR|THB)\b")  # fmt: skip


def _labelled(sums: Sums) -> Iterator[_Label]:
    """Yield the amounts that stand behind, beside or below the label of a total."""
    for index, cell in enumerate(sums.cells):
        label = _label_of(cell.text)
        if label is None:
            continue
        kind, text, end = label
        amount = _amount_for(sums, index, end)
        # A negative total is a credit and not an amount to pay.
        if amount is not None and amount.value > 0:
            yield _Label(kind, text, amount)


def _label_of(text: str) -> tuple[str, str, int] | None:
    """Return the kind and the text of a label at the beginning of a cell, and where it ends."""
    for kind in ("due", "gross", "plain"):
        match = _pattern(kind).search(text)
        if match is None:
            continue
        before = text[: match.start()].strip(" :.*-\u2022")
        if before and not (kind == "due" and len(before.split()) <= 2):
            continue
        behind = text[match.end() :]
        # “Total VAT” and “subtotal” are parts of the bill and not its total.
        if _partial().search(before) or _partial().search(_up_to_number(behind)):
            return None
        return kind, match[0], match.end()
    return None


def _up_to_number(behind: str) -> str:
    """Return the words that still belong to a label: those before the first digit."""
    return re.split(r"\d", behind, maxsplit=1)[0]


def _amount_for(sums: Sums, index: int, end: int) -> Amount | None:
    # First the same cell, then the same row, then below. On a row with several amounts the last is
    # the total: columns of net and tax stand before it.
    own = [amount for amount in sums.of_cell(index) if amount.start >= end]
    if own:
        return own[-1]
    box = sums.cells[index].box
    beside = []
    below = []
    for other in {amount.cell for amount in sums.amounts}:
        place = sums.cells[other].box
        if place.page != box.page or other == index:
            continue
        if place.x0 >= box.x1 and place.shared_rows(box) >= tunables.SHARED:
            beside.append(other)
        step = place.y0 - box.y0
        # The cell below must overlap horizontally and be near.
        is_near = 0.3 * box.height < step <= tunables.BELOW * box.height
        if is_near and place.x0 < box.x1 and place.x1 > box.x0:
            below.append(other)
    if beside:
        last = max(beside, key=lambda other: sums.cells[other].box.x1)
        return sums.of_cell(last)[-1]
    if below:
        nearest = min(below, key=lambda other: sums.cells[other].box.y0)
        return sums.of_cell(nearest)[-1]
    return None


def _confirmation(sums: Sums, labelled: Sequence[_Label], value: Decimal) -> str:
    """Return what else confirms this total, or an empty string."""
    if _adds_up(sums, value):
        return "the sums above it add up to it"
    places = {label.amount.span.start for label in labelled if label.amount.value == value}  # fmt: skip
    if len(places) > 1:
        return "stated with labels at two places"
    return ""


def _adds_up(sums: Sums, value: Decimal) -> bool:
    """Whether consecutive amounts, in the text or in a column, add up to the value."""
    amounts = sums.amounts[: tunables.MAX_AMOUNTS]
    columns: dict[tuple[int, str, int], list[Amount]] = {}
    for amount in amounts:
        box = sums.cells[amount.cell].box
        # An edge identifies the column: most amounts are aligned at their right one. It is rounded
        # to a fiftieth of the page.
        columns.setdefault((box.page, RIGHT, round(box.x1 * 50)), []).append(amount)
        columns.setdefault((box.page, LEFT, round(box.x0 * 50)), []).append(amount)
    return any(_has_run(rows, value) for rows in [amounts, *columns.values()])


def _has_run(amounts: Sequence[Amount], value: Decimal) -> bool:
    # The total itself and zeros are left out: with them any total would add up.
    values = [amount.value for amount in amounts if amount.value != value]
    values = [each for each in values if each]
    for start in range(len(values)):
        total = Decimal(0)
        for count, each in enumerate(values[start : start + tunables.SUM_TERMS], 1):
            total += each
            if count > 1 and total == value:
                return True
    return False
