"""The total of a bill: a labelled amount that the bill adds up to or states a second time.

An amount with one label only is unsure. So are two amounts with labels of a total: what the bill
charges, and what is left to pay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from checks.data import table
from checks.evidence import Evidence
from checks.extraction.tool import Fact
from checks.fields.addresses.addressees import blocks_of
from checks.fields.amounts import ISO, Amount, Sums, currency_of, in_digits, sums_of
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
    # The first label of each amount, in the order of the text.
    labels: dict[Decimal, _Label] = {}
    for label in strong or labelled:
        labels.setdefault(label.amount.value, label)
    if not labels:
        return Fact(None, None, NO_SUM)
    confirmations: dict[Decimal, str] = {}
    for value in labels:
        confirmations[value] = _confirmation(sums, labelled, value)
    sure = [value for value in labels if confirmations[value]]
    total = sure[0] if len(labels) == 1 and sure else _agreed(strong, sure)
    candidates = []
    for value, label in labels.items():
        confirmation = confirmations[value]
        candidate = _extracted(evidence, sums, label, country, confirmation)
        if value == total:
            return Fact(candidate.value, candidate)
        candidates.append(candidate)
    return Fact(None, None, UNSURE, tuple(candidates[: tunables.CANDIDATES]))


def _agreed(strong: Sequence[_Label], sure: Sequence[Decimal]) -> Decimal | None:
    """Return the only sure amount that is both the charged and the due one."""
    gross = {label.amount.value for label in strong if label.kind == "gross"}
    due = {label.amount.value for label in strong if label.kind == "due"}
    agreed = []
    for value in sure:
        if value in gross and value in due:
            agreed.append(value)
    return agreed[0] if len(agreed) == 1 else None


def _extracted(
    evidence: Evidence, sums: Sums, label: _Label, country: str, confirmation: str
) -> ExtractedValue[str]:
    amount = label.amount
    code = amount.currency(country) or _only_currency(sums, country)
    value = f"{code} {in_digits(amount.value, code)}".strip()
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
            codes |= {currency_of(sign, country) for sign in _CODE.findall(cell.text)}
        codes -= {""}
    return codes.pop() if len(codes) == 1 else ""


_CODE = re.compile(rf"\b(?:{ISO}|KD|DHS?|DT)\b")


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
    places = set()
    for label in labelled:
        if label.amount.value == value:
            places.add(label.amount.span.start)
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
    for rows in [amounts, *columns.values()]:
        if _has_run(rows, value):
            return True
    return False


def _has_run(amounts: Sequence[Amount], value: Decimal) -> bool:
    # The total itself and zeros are left out: with them any total would add up.
    values = []
    for amount in amounts:
        if amount.value not in {value, 0}:
            values.append(amount.value)
    for start in range(len(values)):
        total = Decimal(0)
        for count, each in enumerate(values[start : start + tunables.SUM_TERMS], 1):
            total += each
            if count > 1 and total == value:
                return True
    return False
