"""The labelled fields on the front of an identity card, or above the zone of a passport.

A label is printed above its value or beside it, often in two or three languages: “Apelidos / Surname (1)”.
The labels are in `checks/data/card_labels.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from checks.driving_licence.forms import DAY, LICENCE_NUMBER
from checks.driving_licence.front import is_american_order, possible_days
from checks.evidence import Evidence
from checks.fields.dates import month_named
from checks.fields.layout.cells import Cell, cells_of
from checks.identity_document import tunables
from checks.identity_document.card_labels import (
    ANY_NAME,
    field_of,
    is_title,
    label_ends,
    meaning_of_name,
)
from checks.identity_document.card_lines import NAME, below, beside, lines_of_name
from checks.identity_document.card_unlabelled import formed_number, name_without_label
from checks.subject_data.mrz import FOREVER
from checks.text.characters import count_digits
from checks.text.folding import folded
from checks.text.words import Span, Text

# “15 JAN/JAN 1981”: the month in two languages.
SECOND_MONTH = re.compile(r"(?<=[A-Za-zÀ-ÿ])\s?/\s?[A-Za-zÀ-ÿ.]{3,5}(?=\s)")
# “MAY 30, 1985”, “30 November 1985”: the day before the month, and the month in three letters.
MONTH_FIRST = re.compile(r"\b([^\W\d_]{3,12})\.? (\d{1,2}),? (\d{4})\b")
LONG_MONTH = re.compile(r"[^\W\d_]{4,12}")
# “DE HAAN - E/V KUIPERS”: the name of the husband or wife, behind the holder's own.
OF_SPOUSE = re.compile(
    r"\s*(?:[-\u2013]\s*)?\b(?:[egwp]/[vg]|[ée]p(?:\.|ouse)|[ée]poux)\s.*$",
    re.IGNORECASE,
)
# The number of a French card may have fewer digits than others: “X4RTBPFW4”.
MIXED_NUMBER = re.compile(r"(?=[A-Z]*\d)[A-Z0-9]{8,12}")
SURNAMES = ("surname", "second_surname")
NAMES = frozenset({*SURNAMES, "given_names", "middle_name", "whole_name"})
DAYS = frozenset({"birth", "expiry"})


@dataclass(frozen=True, slots=True)
class LabelledField:
    """The value that stands at a label. Each span is one of its lines."""

    value: str
    spans: Sequence[Span]
    label: str

    @property
    def span(self) -> Span:
        return self.spans[0]


@dataclass(frozen=True, slots=True)
class CardFront:
    """The front, by the labels of its fields. A day that could be two is None.

    A field with two labels that name different values, or with more lines than belong to it for sure,
    is in `doubtful`. A field without a label has an empty one.
    """

    fields: Mapping[str, LabelledField]
    doubtful: frozenset[str]
    born: date | None
    expires: date | None

    @property
    def surname(self) -> str:
        return self._joined(*SURNAMES)

    @property
    def given_names(self) -> str:
        return self._text("given_names")

    @property
    def name(self) -> str:
        return self._joined(*self.name_fields)

    @property
    def name_fields(self) -> Sequence[str]:
        """The fields that the whole name is made of."""
        if "whole_name" in self.fields:
            return ("whole_name",)
        names = ("given_names", "middle_name", *SURNAMES)
        return [name for name in names if name in self.fields]

    @property
    def number(self) -> str:
        return self._text("number")

    def _joined(self, *fields: str) -> str:
        return " ".join(filter(None, map(self._text, fields)))

    def _text(self, field: str) -> str:
        labelled = self.fields.get(field)
        return labelled.value if labelled else ""


def card_front_of(evidence: Evidence) -> CardFront | None:
    """Return the labelled fields of a card; None if it has too few of them. For `Evidence.once`."""
    cells = cells_of(evidence.text)
    labels = [field_of(cell.text) for cell in cells]
    of_name = meaning_of_name(cells, labels)
    labels = [of_name if label == ANY_NAME else label for label in labels]
    fields, doubtful = _read_fields(evidence.text, cells, labels, of_name)
    if _takes_other_number(fields) and "other_number" in doubtful:
        doubtful.add("number")
    has_form = _add_number_of_form(evidence, fields)
    if not NAMES.intersection(fields):
        _add_name(fields, cells, labels)
    if not _is_card(fields, cells, has_form=has_form):
        return None
    is_american = is_american_order(evidence.text.value)
    born = _born(fields.get("birth"), evidence.today, is_american=is_american)
    expires = _expires(
        fields.get("expiry"), born, evidence.today, is_american=is_american
    )
    return CardFront(fields, frozenset(doubtful), born, expires)


def _read_fields(
    text: Text, cells: Sequence[Cell], labels: Sequence[str], of_name: str
) -> tuple[dict[str, LabelledField], set[str]]:
    """Return the fields at labels, and those of them that are doubtful."""
    fields: dict[str, LabelledField] = {}
    doubtful: set[str] = set()
    for index, cell in enumerate(cells):
        field = labels[index]
        value = None
        if field and field != "other":
            value = _value(cells, labels, index, field)
        elif not field:
            field, value = _within(text, cell, of_name)
        if value is None:
            continue
        labelled, is_sure = value
        first = fields.setdefault(field, labelled)
        if folded(first.value) != folded(labelled.value) or not is_sure:
            doubtful.add(field)
    return fields, doubtful


def _takes_other_number(fields: dict[str, LabelledField]) -> bool:
    """Take the number of the card or of the person where no other one is there, and return whether it was taken."""
    other = fields.pop("other_number", None)
    if other is None or "number" in fields:
        return False
    fields["number"] = other
    return True


def _add_number_of_form(evidence: Evidence, fields: dict[str, LabelledField]) -> bool:
    """Add the number that its form tells, and the birth that it states; whether there is one."""
    number = formed_number(evidence.text, evidence.today)
    if number is None:
        return False
    fields.setdefault("number", LabelledField(number.value, [number.span], ""))
    if number.born:
        born = f"{number.born:%d.%m.%Y}"
        fields.setdefault("birth", LabelledField(born, [number.span], ""))
    return True


def _add_name(
    fields: dict[str, LabelledField], cells: Sequence[Cell], labels: Sequence[str]
) -> None:
    lines = name_without_label(cells, labels)
    if not lines:
        return
    words: list[str] = []
    spans = []
    for line in lines:
        cell = cells[line]
        words += cell.text.replace(",", " ").split()
        spans.append(cell.span)
    fields["whole_name"] = LabelledField(" ".join(words), spans, "")


def _is_card(
    fields: Mapping[str, LabelledField], cells: Sequence[Cell], *, has_form: bool
) -> bool:
    """Whether so many fields were read that this is no bill or form: these have some such labels, too.

    has_form: its number has a form that only a card has.
    """
    has_title = has_form or any(is_title(cell.text) for cell in cells)
    signs = len(fields.keys() & {"birth", "expiry", "number"})
    if "whole_name" in fields:
        is_labelled = bool(fields["whole_name"].label)
        fewest = 1 if is_labelled or has_form else tunables.FEWEST_SIGNS
        has_day = "birth" in fields or has_form
        return has_title and has_day and signs >= fewest
    if not fields.keys() >= {"surname", "given_names"}:
        return False
    if has_title:
        signs += 1
    return signs >= tunables.FEWEST_SIGNS


# A field with the value that stands at its label, and whether all lines of it surely belong to it.
_Value = tuple[LabelledField, bool]


def _within(text: Text, cell: Cell, of_name: str) -> tuple[str, _Value | None]:
    """Return a label and its value in one cell: “LN ABERNATHY”, “DOB 03/26/1992”, “Nom : LEROUX”."""
    for count, has_colon in label_ends(cell):
        label = " ".join(word.text for word in cell.words[:count])
        field = field_of(label)
        # Without a colon “Nom” may be the first word of any text, but not on a card that labels surnames, too.
        if field == ANY_NAME and (has_colon or of_name == "given_names"):
            field = of_name
        span = text.span_of(cell.words[count:])
        if field in {"", "other", "title", ANY_NAME} or span is None:
            continue
        value = _form(field, " ".join(word.text for word in cell.words[count:]))
        if value:
            return field, (LabelledField(value, [span], label), True)
    return "", None


def _value(
    cells: Sequence[Cell], labels: Sequence[str], index: int, field: str
) -> _Value | None:
    """Return the value below the label, or else beside it."""
    own = cells[index]
    for place in (below(cells, index), beside(cells, index)):
        if place is None or labels[place]:
            continue
        cell = cells[place]
        value = _form(field, cell.text)
        if not value:
            continue
        if field not in NAMES:
            return LabelledField(value, [cell.span], own.text), True
        lines, is_sure = lines_of_name(cells, labels, place, field)
        parts = [_form(field, cells[line].text) for line in lines]
        spans = [cells[line].span for line in lines]
        return LabelledField(" ".join(parts), spans, own.text), is_sure
    return None


def _form(field: str, text: str) -> str:
    """Return the value if it has the form of this field; else nothing."""
    value = " ".join(text.split()).strip(" :;|_/,")
    if field == "surname":
        value = OF_SPOUSE.sub("", value)
    if field in NAMES:
        return value if NAME.fullmatch(value) and len(value) > 1 else ""
    if field in DAYS:
        plain = _plain_day(value)
        orders = (
            possible_days(plain, is_american=american) for american in (False, True)
        )
        return value if any(orders) else ""
    match = LICENCE_NUMBER.fullmatch(value)
    has_digits = count_digits(value) >= tunables.FEWEST_DIGITS
    return value if match and (has_digits or MIXED_NUMBER.fullmatch(value)) else ""


def _plain_day(text: str) -> str:
    """Return the text with the day before the month, and the month once and in three letters or digits."""
    plain = MONTH_FIRST.sub(r"\2 \1 \3", SECOND_MONTH.sub("", text))

    def shortened(match: re.Match[str]) -> str:
        month = month_named(match[0])
        return f"{month:02}" if month else match[0]

    return LONG_MONTH.sub(shortened, plain)


def _born(
    field: LabelledField | None, today: date, *, is_american: bool
) -> date | None:
    if field is None:
        return None
    text = _plain_day(field.value)
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
    text = _plain_day(field.value)
    # “10.08.19-09.07.2029”: the card is valid from the first day to the last.
    for day in DAY.finditer(text):
        is_last = day.end() == len(text.rstrip())
        if is_last:
            text = text[day.start() :]
    days = possible_days(text, is_american=is_american)
    years = {*range(tunables.FIRST_EXPIRY, today.year + tunables.LONGEST_VALIDITY + 1)}
    years.add(FOREVER.year)
    possible = []
    for expiry in days:
        is_after_birth = born is None or expiry > born
        if expiry.year in years and is_after_birth:
            possible.append(expiry)
    return min(possible, default=None)
