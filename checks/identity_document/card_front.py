"""The labelled fields on the front of an identity card, or above the zone of a passport.

A label is printed above its value or beside it, often in two or three languages: “Apelidos / Surname (1)”.
The labels are in `checks/data/card_labels.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from rapidfuzz import fuzz, process

from checks.driving_licence.forms import LICENCE_NUMBER
from checks.driving_licence.front import AMERICAN, possible_days
from checks.evidence import Evidence
from checks.fields.layout import label_cells
from checks.fields.layout.cells import Cell, cells_of
from checks.identity_document import tunables
from checks.subject_data.mrz import FOREVER
from checks.text.characters import count_digits
from checks.text.folding import folded
from checks.text.words import Span, Text

# What parts a label from its translation: a slash, a bar, the number of the field.
PARTS = re.compile(r"\s*[/|·•]\s*|\(\d{1,2}[a-z]?\)|\[[a-z]\]|:")
# The number of the field before its label.
NUMBERING = re.compile(r"^\s*(?:\d{1,2}[a-z]?[.)]?\s+|\[[a-z]\]\s*)", re.IGNORECASE)
# “15 JAN/JAN 1981”: the month in two languages.
SECOND_MONTH = re.compile(r"(?<=[A-Za-zÀ-ÿ])\s?/\s?[A-Za-zÀ-ÿ.]{3,5}(?=\s)")
# The name of a person: letters, with the marks that stand between them.
NAME = re.compile(r"[^\W\d_][^\W\d_'\u2019., -]*(?:[ '\u2019,.-]+[^\W\d_]+)*\.?")
# “DE HAAN - E/V KUIPERS”: the name of the husband or wife, behind the holder's own.
OF_SPOUSE = re.compile(
    r"\s*(?:[-\u2013]\s*)?\b(?:[egwp]/[vg]|[ée]p(?:\.|ouse)|[ée]poux)\s.*$",
    re.IGNORECASE,
)
NAMES = frozenset({"surname", "given_names"})
DAYS = frozenset({"birth", "expiry"})


@dataclass(frozen=True, slots=True)
class LabelledField:
    """The value that stands at a label."""

    value: str
    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class CardFront:
    """The front, by the labels of its fields. A day that could be two is None.

    A field with two labels that name different values is in `doubtful`.
    """

    fields: Mapping[str, LabelledField]
    doubtful: frozenset[str]
    born: date | None
    expires: date | None

    @property
    def surname(self) -> str:
        return self._text("surname")

    @property
    def given_names(self) -> str:
        return self._text("given_names")

    @property
    def name(self) -> str:
        return f"{self.given_names} {self.surname}".strip()

    @property
    def number(self) -> str:
        return self._text("number")

    def _text(self, field: str) -> str:
        labelled = self.fields.get(field)
        return labelled.value if labelled else ""


def card_front_of(evidence: Evidence) -> CardFront | None:
    """Return the labelled fields of a card; None if it has too few of them. For `Evidence.once`."""
    cells = cells_of(evidence.text)
    labels = [_field_of(cell.text) for cell in cells]
    fields: dict[str, LabelledField] = {}
    doubtful = set()
    for index, cell in enumerate(cells):
        field = labels[index]
        labelled = None
        if field and field != "other":
            labelled = _value(cells, labels, index, field)
        elif not field:
            field, labelled = _within(evidence.text, cell)
        if labelled is None:
            continue
        first = fields.setdefault(field, labelled)
        if folded(first.value) != folded(labelled.value):
            doubtful.add(field)
    # Bills and forms have some of these labels, too.
    if not fields.keys() >= {"surname", "given_names", "birth"}:
        return None
    if not fields.keys() & {"expiry", "number"}:
        return None
    is_american = bool(AMERICAN.search(evidence.text.value))
    born = _born(fields["birth"], evidence.today, is_american=is_american)
    expires = _expires(
        fields.get("expiry"), born, evidence.today, is_american=is_american
    )
    return CardFront(fields, frozenset(doubtful), born, expires)


def _labels() -> dict[str, str]:
    return label_cells.labels("card_labels")


@cache
def _long_labels() -> tuple[str, ...]:
    return tuple(label for label in _labels() if len(label) >= tunables.LONG_LABEL)


def _field_of(text: str) -> str:
    """Return the field that the label names; empty if the text is no label."""
    for part in PARTS.split(NUMBERING.sub("", text)):
        label = folded(part)
        if label in _labels():
            return _labels()[label]
    # The small print of labels is misread more often than values are.
    for part in PARTS.split(NUMBERING.sub("", text)):
        label = folded(part)
        if len(label) < tunables.LONG_LABEL:
            continue
        like = process.extractOne(
            label,
            _long_labels(),
            scorer=fuzz.ratio,
            score_cutoff=tunables.LIKE_LABEL,
        )
        if like:
            return _labels()[like[0]]
    return ""


def _within(text: Text, cell: Cell) -> tuple[str, LabelledField | None]:
    """Return a label and its value in one cell: “LN ABERNATHY”, “DOB 03/26/1992”."""
    for count in range(min(len(cell.words) - 1, tunables.LABEL_WORDS), 0, -1):
        label = " ".join(word.text for word in cell.words[:count])
        field = _labels().get(folded(label), "")
        span = text.span_of(cell.words[count:])
        if field in {"", "other"} or span is None:
            continue
        value = _form(field, " ".join(word.text for word in cell.words[count:]))
        if value:
            return field, LabelledField(value, span, label)
    return "", None


def _value(
    cells: Sequence[Cell], labels: Sequence[str], index: int, field: str
) -> LabelledField | None:
    """Return the value below the label, or else beside it."""
    own = cells[index]
    for place in (_below(cells, index), _beside(cells, index)):
        if place is None or labels[place]:
            continue
        cell = cells[place]
        value = _form(field, cell.text)
        if value:
            return LabelledField(value, cell.span, own.text)
    return None


def _below(cells: Sequence[Cell], index: int) -> int | None:
    """Return the nearest cell below that begins where the label begins."""
    own = cells[index].box
    nearest = None
    for other, cell in enumerate(cells):
        box = cell.box
        step = box.y0 - own.y0
        is_below = 0.5 * own.height < step < tunables.BELOW_LABEL * own.height
        is_in_column = abs(box.x0 - own.x0) <= tunables.CARD_COLUMN
        if box.page != own.page or not is_below or not is_in_column:
            continue
        if nearest is None or box.y0 < cells[nearest].box.y0:
            nearest = other
    return nearest


def _beside(cells: Sequence[Cell], index: int) -> int | None:
    """Return the nearest cell on the right of the label."""
    own = cells[index].box
    nearest = None
    for other, cell in enumerate(cells):
        box = cell.box
        is_right = box.x0 >= own.x1 and box.shared_rows(own) >= tunables.SAME_ROW
        if box.page != own.page or not is_right:
            continue
        if nearest is None or box.x0 < cells[nearest].box.x0:
            nearest = other
    return nearest


def _form(field: str, text: str) -> str:
    """Return the value if it has the form of this field; else nothing."""
    value = " ".join(text.split()).strip(" :;|_")
    if field == "surname":
        value = OF_SPOUSE.sub("", value)
    if field in NAMES:
        return value if NAME.fullmatch(value) and len(value) > 1 else ""
    if field in DAYS:
        plain = SECOND_MONTH.sub("", value)
        orders = (
            possible_days(plain, is_american=american) for american in (False, True)
        )
        return value if any(orders) else ""
    match = LICENCE_NUMBER.fullmatch(value)
    has_digits = count_digits(value) >= tunables.FEWEST_DIGITS
    return value if match and has_digits else ""


def _born(field: LabelledField, today: date, *, is_american: bool) -> date | None:
    text = SECOND_MONTH.sub("", field.value)
    days = possible_days(text, is_american=is_american)
    # A year that no living person was born in is one of another calendar.
    first_year = today.year - tunables.OLDEST_HOLDER
    past = (day for day in days if day < today and day.year >= first_year)
    return max(past, default=None)


def _expires(
    field: LabelledField | None, born: date | None, today: date, *, is_american: bool
) -> date | None:
    """Return the first possible day behind the birth and in this century: no card is older.

    A year that is too far ahead is one of another calendar: 2573 of the Buddhist one is 2030. 9999
    stands for a card that does not expire.
    """
    if field is None:
        return None
    text = SECOND_MONTH.sub("", field.value)
    days = possible_days(text, is_american=is_american)
    years = {*range(tunables.FIRST_EXPIRY, today.year + tunables.LONGEST_VALIDITY + 1)}
    years.add(FOREVER.year)
    later = (day for day in days if day.year in years)
    return min((day for day in later if born is None or day > born), default=None)
