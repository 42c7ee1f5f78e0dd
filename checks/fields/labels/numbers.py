"""The numbers that a page prints, each with the words that label it.

A paper of a register has several: that of the company, of a tax office, a request, a receipt, a deed. What a number is
of, the words before it say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from checks.data import table
from checks.fields import tunables
from checks.fields.dates import find_dates
from checks.fields.layout.cells import Cell
from checks.fields.registration_numbers import is_year
from checks.text.folding import folded
from checks.text.words import Span

Owner = Literal["register", "other", ""]

NUMBER = re.compile(
    r"(?<![\w./-])(?:[A-Z]{1,6}[ ./:-]{0,2}){0,3}\d[\dA-Z]*"
    # A group without a digit is short: “66884 SO”, and not “155678901 DESDE EL”.
    r"(?:[ ./-]{1,2}(?:[A-Z]{0,9}\d[\dA-Z]*|[A-Z]{1,3}(?!\w))){0,6}(?![\w%:])"
)
APOSTROPHE = re.compile("['\u2019]")
FIRST_DIGIT = re.compile(r"\d")
# The label is only “number”, as in “was registered on 14 March 2019 under number”: the rest of the line says
# what the number is of.
IN_SENTENCE = re.compile(
    r"(?<!\w)(?:no|nr|n|num|number|nummer|nummeret|numero|numer\w{0,2}|numar\w{0,2}|cislem|broj\w{0,2})$"
)
AMOUNT = re.compile(r"\d[\d ., ]*[.,]\d{2}")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """`words` label it; `of` is what they name, empty where they name neither."""

    number: str
    span: Span
    words: str
    of: Owner


def owner_of(label: str) -> Owner:
    """Return what the words of a label name: a register of companies, or something else that has numbers."""
    # “N° d'immatriculation”
    words = folded(APOSTROPHE.sub(" ", label))
    if _pattern("other").search(words):
        return "other"
    if _pattern("register").search(words):
        return "register"
    return ""


def _owner(words: str, number: str) -> Owner:
    # “ACT NO. 35 OF 1994”: the capitals before the digits are words of the label.
    capitals = FIRST_DIGIT.split(number, maxsplit=1)[0]
    if owner_of(capitals) == "other":
        return "other"
    return owner_of(words)


@cache
def _pattern(of: str) -> re.Pattern[str]:
    words: list[str] = []
    for row in table("number_words"):
        if row["of"] == of:
            words.extend(folded(word) for word in row["words"].split("|"))
    # Short words are whole ones: “act” does not begin “active”.
    parts = [
        rf"{word}\b" if len(word) <= tunables.WHOLE_WORD else word for word in words
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})")


def printed_numbers(cells: Sequence[Cell]) -> list[PrintedNumber]:
    """Return the numbers of the cells that have enough digits, without days, years and amounts."""
    numbers: list[PrintedNumber] = []
    by_page: dict[int, list[Cell]] = {}
    for cell in cells:
        by_page.setdefault(cell.box.page, []).append(cell)
    for cell in cells:
        beside = by_page[cell.box.page]
        end = 0
        for match in NUMBER.finditer(cell.text):
            before = cell.text[end : match.start()]
            end = match.end()
            number = match[0].strip(" ./:-")
            if not _is_number(number):
                continue
            words = before if folded(before) else _label_of(beside, cell)
            of = _owner(words, number)
            if not of and IN_SENTENCE.search(folded(before)):
                words = cell.text[: match.start()]
                of = owner_of(f"{words} {cell.text[match.end() :]}")
            start = cell.span.start + match.start()
            span = Span.of(start, number)
            numbers.append(PrintedNumber(number, span, words, of))
    return numbers


def fits_register(number: str, code: str) -> bool | None:
    """Whether the number is written as those of the country or state; None if the tables do not have its register."""
    patterns = _formats(code)
    if not patterns:
        return None
    plain = "".join(filter(str.isalnum, number)).upper()
    return any(pattern.fullmatch(plain) for pattern in patterns)


@cache
def _formats(code: str) -> list[re.Pattern[str]]:
    country = code[:2]
    rows = table("register_numbers")
    written = [row["pattern"] for row in rows if row["jurisdiction"] == code]
    # A state of the United States or a province has a register of its own.
    if not written and country not in {"US", "CA"}:
        written = [row["pattern"] for row in rows if row["jurisdiction"] == country]
    written += [
        row["pattern"] for row in table("registers") if row["country"] == country
    ]
    return [re.compile(pattern, re.ASCII) for pattern in written]


def _is_number(text: str) -> bool:
    digits = "".join(filter(str.isdigit, text))
    if len(digits) < tunables.NUMBER_DIGITS or not digits.strip("0"):
        return False
    # “ACT 2020”, “A.D. 2018”
    if is_year(digits) and text.endswith(digits):
        return False
    return not AMOUNT.fullmatch(text) and not find_dates(text)


def _label_of(cells: Sequence[Cell], cell: Cell) -> str:
    """Return the words of the cell on the left, else of the one above. `cells` are those of the page."""
    left = max(_on_left(cells, cell), key=lambda other: other.box.x0, default=None)
    if left is not None:
        return left.text
    above = max(_above(cells, cell), key=lambda other: other.box.y0, default=None)
    if above is None or any(map(str.isdigit, above.text)):
        return ""
    return above.text


def _on_left(cells: Sequence[Cell], cell: Cell) -> Iterator[Cell]:
    for other in cells:
        is_left = other.box.x1 <= cell.box.x0
        if is_left and other.box.shared_rows(cell.box) >= tunables.SAME_ROW:
            yield other


def _above(cells: Sequence[Cell], cell: Cell) -> Iterator[Cell]:
    for other in cells:
        step = cell.box.y0 - other.box.y0
        is_near = 0 < step <= tunables.CELL_STEP * cell.box.height
        is_in_column = other.box.x0 < cell.box.x1 and other.box.x1 > cell.box.x0
        if is_near and is_in_column:
            yield other
