"""What stands on a card without a label: a number of a form that only one card has, and the name above an address.

No label names such a name. So it is a candidate, which the attested name may confirm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from stdnum.exceptions import ValidationError
from stdnum.util import get_cc_module

from checks.data import table
from checks.fields.layout.cells import Cell
from checks.identity_document import tunables
from checks.identity_document.card_labels import begins_with_label, is_title
from checks.identity_document.card_lines import NAME
from checks.screening.romanisation.scripts import is_latin
from checks.text.characters import has_digit
from checks.text.folding import folded
from checks.text.words import Span, Text
from papers import countries


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A row of `checks/data/card_numbers.csv`."""

    words: re.Pattern[str]
    form: re.Pattern[str]
    rule: str
    youngest: int


@dataclass(frozen=True, slots=True)
class FormedNumber:
    """A number that was known by its form, its place, and the date of birth that it states."""

    value: str
    span: Span
    born: date | None


@cache
def _forms() -> tuple[NumberForm, ...]:
    forms = []
    for row in table("card_numbers"):
        words = "|".join(re.escape(folded(word)) for word in row["words"].split("|"))
        form = re.compile(rf"(?<![A-Z0-9-])(?:{row['form']})(?![A-Z0-9-])")
        youngest = int(row["youngest"] or 0)
        forms.append(
            NumberForm(
                re.compile(rf"(?<!\w)(?:{words})(?!\w)"), form, row["rule"], youngest
            )
        )
    return tuple(forms)


def formed_number(text: Text, today: date) -> FormedNumber | None:
    """Return the number of the only card whose title and form are there; None if there are several."""
    plain = folded(text.value)
    numbers: dict[str, FormedNumber] = {}
    for form in _forms():
        if not form.words.search(plain):
            continue
        for match in form.form.finditer(text.value):
            number = match[0]
            if not _is_valid(number, form.rule):
                continue
            born = _born(match, today, form.youngest)
            span = Span(*match.span())
            formed = FormedNumber(number, span, born)
            numbers.setdefault(number, formed)
    if len(numbers) != 1:
        return None
    [formed] = numbers.values()
    return formed


def _is_valid(number: str, rule: str) -> bool:
    if not rule:
        return True
    country, _, name = rule.partition(".")
    module = get_cc_module(country.strip("_"), name)
    try:
        return module is not None and bool(module.validate(number))
    except ValidationError:
        return False


def _born(match: re.Match[str], today: date, youngest: int) -> date | None:
    """Return the latest date of birth at which the holder is old enough for such a card."""
    parts = match.groupdict()
    if not parts:
        return None
    century = 100 * (today.year // 100)
    for year in (century + int(parts["y"]), century - 100 + int(parts["y"])):
        if today.year - year < youngest:
            continue
        try:
            return date(year, int(parts["m"]), int(parts["d"]))
        except ValueError:
            return None
    return None


def name_without_label(cells: Sequence[Cell], labels: Sequence[str]) -> list[int]:
    """Return the places of the lines of a name that no label names; empty if there is none, or more than one.

    They are the lines of letters next above an address or a label, in one print.
    """
    names: list[list[int]] = []
    for place, cell in enumerate(cells):
        if not _ends_name(cell, labels[place]):
            continue
        lines = _lines_above(cells, labels, place)
        if lines and lines not in names:
            names.append(lines)
    # The name stands above what else has such lines, as a place of birth without a label.
    return min(names, key=lambda lines: cells[lines[0]].box.y0, default=[])


def _ends_name(cell: Cell, label: str) -> bool:
    """Whether the cell is an address, a number or a label: a name stands above such a cell."""
    return bool(label) or has_digit(cell.text) or begins_with_label(cell)


def _lines_above(cells: Sequence[Cell], labels: Sequence[str], place: int) -> list[int]:
    lines: list[int] = []
    below = place
    while len(lines) < tunables.LINES_OF_NAME:
        above = _above(cells, below)
        if above is None or labels[above] or not _may_be_line(cells[above]):
            break
        if lines and not _is_same_print(cells[above], cells[lines[0]]):
            break
        lines.insert(0, above)
        below = above
    words = " ".join(cells[line].text for line in lines).split()
    return lines if len(words) >= tunables.WORDS_OF_NAME else []


def _above(cells: Sequence[Cell], index: int) -> int | None:
    """Return the nearest cell above that begins where this one begins."""
    own = cells[index].box
    nearest = 0.5 * own.height
    farthest = tunables.BELOW_LABEL * own.height
    best: int | None = None
    for place, cell in enumerate(cells):
        box = cell.box
        step = own.y0 - box.y0
        is_above = box.page == own.page and nearest < step < farthest
        is_column = abs(box.x0 - own.x0) <= tunables.CARD_COLUMN
        if not is_above or not is_column:
            continue
        if best is None or box.y0 > cells[best].box.y0:
            best = place
    return best


def _may_be_line(cell: Cell) -> bool:
    text = " ".join(cell.text.split())
    if not NAME.fullmatch(text.strip(" ,")) or not is_latin(text):
        return False
    return not is_title(text) and not _is_heading(text)


@cache
def _names_of_states() -> re.Pattern[str]:
    names = {*countries.spellings()}
    for source in ("us_states", "jurisdictions"):
        for row in table(source):
            names.add(folded(row["name"]))
    for row in table("card_numbers"):
        words = row["words"].split("|")
        names.update(map(folded, words))
    names.discard("")
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _is_heading(text: str) -> bool:
    """Whether most of the line is the name of a state: “NEW YORK STATE”, and not “MICHAEL JORDAN”."""
    plain = folded(text)
    rest = _names_of_states().sub("", plain)
    return 2 * len(rest.strip()) < len(plain)


def _is_same_print(cell: Cell, other: Cell) -> bool:
    ratio = cell.size / other.size
    return 1 / tunables.SAME_PRINT <= ratio <= tunables.SAME_PRINT
