"""Sums of labelled amounts: the balances of a statement, and net amount and tax of an invoice."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from checks.data import table
from checks.document_fraud_check import tunables
from checks.fields.amounts import Written, amounts_in, number_of
from checks.text.folding import folded
from checks.text.words import Line

# How a line of a transaction begins.
A_DAY = re.compile(
    r"^\W*(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))", re.IGNORECASE
)
# The parts of a sum, each with the sign with which its amount counts. The result is last.
SUMS: Mapping[str, Sequence[tuple[str, int]]] = {
    "statement": (("opening", 1), ("added", 1), ("taken", -1), ("closing", 0)),
    "invoice": (("net", 1), ("tax", 1), ("total", 0)),
}
BALANCES = frozenset({"opening", "closing"})
# An amount of money has two decimals, so that no number of an invoice is taken for one.
CENTS = re.compile(r"[.,]\d{2}$")
# Behind an amount only its currency or its side of the account may stand: “1.204,00 EUR”.
REST_OF_AMOUNT = re.compile(r"^\W*(?:[^\W\d]{1,3}\.?)?\W*$")
# The side of an account that lowers a balance, in English and in German.
TAKEN_SIDES = frozenset({"DR", "S"})


@dataclass(frozen=True, slots=True)
class BrokenSum:
    """Amounts that do not add up: what they give, what is stated, and their lines."""

    due: Decimal
    stated: Decimal
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A line with a label. `readings`: the values that its amount may have."""

    line: Line
    readings: tuple[Decimal, ...]


# The labels of each part of a sum, in one language.
_Labels = Mapping[str, Sequence[str]]


def broken_sum(lines: Sequence[Line]) -> BrokenSum | None:
    """Return the first sum whose amounts do not add up, if all of its parts are known."""
    amounts = [_amounts(line) for line in lines]
    starts = [
        folded(line.text) if found else ""
        for line, found in zip(lines, amounts, strict=True)
    ]
    for name, labels in _tables():
        parts = _parts(lines, amounts, starts, SUMS[name], labels)
        # An amount between the parts that is none of them is a discount or a fee.
        if not parts or _has_other_parts(lines, amounts, parts):
            continue
        broken = _broken(parts, SUMS[name])
        if broken:
            return broken
    return None


@cache
def _tables() -> tuple[tuple[str, _Labels], ...]:
    """Return the name of the sum and the labels of its parts, for each sum and language."""
    tables: dict[tuple[str, str], dict[str, Sequence[str]]] = {}
    for row in table("sum_labels"):
        key = row["sum"], row["language"]
        labels = row["labels"].split("|")
        by_part = tables.setdefault(key, {})
        by_part[row["part"]] = list(map(folded, labels))
    pairs = []
    for (name, _), by_part in tables.items():
        pairs.append((name, by_part))
    return tuple(pairs)


@cache
def labels_of(name: str, *parts: str) -> tuple[str, ...]:
    """Return the labels of some parts of a sum in all languages, folded."""
    labels: dict[str, None] = {}
    for other, by_part in _tables():
        for part in parts:
            if other == name:
                labels.update(dict.fromkeys(by_part.get(part, ())))
    return tuple(labels)


def _parts(
    lines: Sequence[Line],
    amounts: Sequence[Sequence[Written]],
    starts: Sequence[str],
    signs: Sequence[tuple[str, int]],
    labels: _Labels,
) -> list[_Part]:
    """Return the line of each part of a sum; none if one is missing, or stands there twice."""
    lines_of: dict[str, list[int]] = {}
    for index, start in enumerate(starts):
        part = _part_of(start, labels) if start else ""
        if part:
            lines_of.setdefault(part, []).append(index)
    parts: list[_Part] = []
    for part, _ in signs:
        indexes = lines_of.get(part, [])
        # Of two lines with one label it is not known which of them belongs to the sum.
        if len(indexes) != 1:
            return []
        line = lines[indexes[0]]
        readings = _readings(line, amounts[indexes[0]])
        if not readings:
            return []
        # No count and no rate stands before a balance.
        if part in BALANCES:
            readings = readings[:1]
        parts.append(_Part(line, readings))
    return parts


def _part_of(start: str, labels: _Labels) -> str:
    """Return the part whose label begins the line: of several, that with the longest label."""
    best, part_of_best = "", ""
    for part, candidates in labels.items():
        for label in candidates:
            if len(label) > len(best) and f"{start} ".startswith(f"{label} "):
                best, part_of_best = label, part
    return part_of_best


def _amounts(line: Line) -> list[Written]:
    return [each for each in amounts_in(line.text) if CENTS.search(each.number)]


def _readings(line: Line, amounts: Sequence[Written]) -> tuple[Decimal, ...]:
    """Return the values that the only amount of a line may have; none if it is not at its end.

    “Tax 20 100.00” is either 20 100.00, or 100.00 at a rate of 20.
    """
    # A line with several amounts is a row of a table.
    if len(amounts) != 1:
        return ()
    amount = amounts[0]
    behind = line.text[amount.span.end :]
    if not REST_OF_AMOUNT.match(behind):
        return ()
    sign = -1 if amount.value < 0 else 1
    if amount.side in TAKEN_SIDES:
        sign = -sign
    groups = amount.number.split()
    readings = []
    for first in range(len(groups)):
        readings.append(sign * number_of(" ".join(groups[first:])))
    return tuple(readings)


def _has_other_parts(
    lines: Sequence[Line],
    amounts: Sequence[Sequence[Written]],
    parts: Sequence[_Part],
) -> bool:
    """Whether another amount stands alone on a line between the parts: a discount, a fee, a payment.

    Lines that begin with a day are single transactions, which are in the sums.
    """
    of_parts = [part.line for part in parts]
    places = [index for index, line in enumerate(lines) if line in of_parts]
    for index in range(places[0], places[-1]):
        line = lines[index]
        if line in of_parts or A_DAY.search(line.text):
            continue
        if _readings(line, amounts[index]):
            return True
    return False


def _broken(
    parts: Sequence[_Part], signs: Sequence[tuple[str, int]]
) -> BrokenSum | None:
    """Return the sum by the first reading of each amount, if it adds up by none."""
    first: tuple[Decimal, Decimal] | None = None
    readings = [part.readings for part in parts]
    for values in itertools.product(*readings):
        stated = values[-1]
        due, *others = _sums(values, signs)
        if first is None:
            first = due, stated
        apart = abs(due - stated)
        for other in others:
            # All amounts of a credit note have a minus, and the result may have one or not.
            apart = min(apart, abs(other - abs(stated)))
        if apart <= _tolerance(abs(stated), signs):
            return None
    if first is None:
        return None
    lines = [part.line for part in parts]
    return BrokenSum(*first, tuple(lines))


def _sums(
    values: Sequence[Decimal], signs: Sequence[tuple[str, int]]
) -> Iterator[Decimal]:
    """Yield the sum from the first amount as it is, from it without a sign, and the other sums that are usual."""
    start = values[0]
    moved = Decimal(0)
    # The label tells whether an amount is taken. Some print a minus as well.
    for value, (_, sign) in zip(values[1:-1], signs[1:-1], strict=True):
        moved += sign * abs(value)
    yield start + moved
    yield abs(start) + moved
    if BALANCES.isdisjoint(part for part, _ in signs):
        # The tax is within an amount that is the total already.
        yield abs(start)
    else:
        # The balance of a credit card is a debt: what was paid lowers it.
        yield abs(start) - moved


def _tolerance(total: Decimal, signs: Sequence[tuple[str, int]]) -> Decimal:
    """Return by how much a total may differ: a cent, or half of the smallest coin to which invoices are rounded."""
    most = Decimal(str(tunables.CENT))
    if not BALANCES.isdisjoint(part for part, _ in signs):
        return most
    for coin in tunables.ROUNDED_TO:
        if total % Decimal(coin) == 0:
            most = max(most, Decimal(coin) / 2)
    return most
