"""A procedure as a form: the submitted rows, and the content that they describe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reviews.procedures.content import (
    LONGEST_HELP,
    MOST_FIELDS,
    MOST_ITEMS,
    Content,
    FieldSpec,
    Item,
    key_of,
)

# Empty rows at the end of each table. After saving, the form offers the same number again.
NEW_ROWS = 3
LONGEST = 6_000  # characters of one input, enough for fifty values of a choice


@dataclass(frozen=True)
class Row:
    """A field or an item as the form shows it. `name` is the prefix of its inputs, e.g.
    "field-3".
    """

    name: str
    place: str
    key: str
    label: str
    is_required: bool
    help: str
    type: str = "text"
    choices: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.label and not self.help and not self.choices


@dataclass(frozen=True)
class Form:
    fields: list[Row]
    items: list[Row]


def form_of(content: Content) -> Form:
    fields = []
    for number, spec in enumerate(content.fields, start=1):
        fields.append(_row_of("field", number, spec))
    items = []
    for number, item in enumerate(content.items, start=1):
        items.append(_row_of("item", number, item))
    return Form(_with_new("field", fields), _with_new("item", items))


def _row_of(what: str, number: int, row: FieldSpec | Item) -> Row:
    type_of_field, choices = "text", ""
    if isinstance(row, FieldSpec):
        type_of_field, choices = row.type, "\n".join(row.choices)
    return Row(
        name=f"{what}-{number}",
        place=str(number),
        key=row.key,
        label=row.label,
        is_required=row.required,
        help=row.help,
        type=type_of_field,
        choices=choices,
    )


def _with_new(what: str, rows: list[Row]) -> list[Row]:
    for _ in range(NEW_ROWS):
        # Numbers continue, so that the names of inputs stay unique.
        number = len(rows) + 1
        rows.append(_empty_row(f"{what}-{number}", str(number)))
    return rows


def _empty_row(name: str, place: str) -> Row:
    return Row(name, place, key="", label="", is_required=False, help="")


def typed(sent: Mapping[str, str]) -> Form:
    """The submitted rows, sorted by the position that the user entered for each."""
    fields = list(_typed_rows(sent, "field", MOST_FIELDS))
    items = list(_typed_rows(sent, "item", MOST_ITEMS))
    return Form(_in_order("field", fields), _in_order("item", items))


def _typed_rows(sent: Mapping[str, str], what: str, most: int) -> Iterator[Row]:
    for number in range(1, most + NEW_ROWS + 1):
        name = f"{what}-{number}"
        # The page may hold fewer rows than the limit.
        if f"{name}.label" not in sent:
            continue
        row = Row(
            name=name,
            place=_text(sent, f"{name}.place"),
            key=_text(sent, f"{name}.key"),
            label=_line(sent, f"{name}.label"),
            is_required=f"{name}.required" in sent,
            help=_line(sent, f"{name}.help"),
            type=_text(sent, f"{name}.type") or "text",
            choices=_text(sent, f"{name}.choices"),
        )
        if not row.is_empty:
            yield row


def _in_order(what: str, rows: list[Row]) -> list[Row]:
    """Sort rows by the position that the user entered; equal positions keep their order."""
    rows.sort(key=lambda row: _number(row.place))
    field_names = []
    for number, row in enumerate(rows, start=1):
        field_names.append(
            Row(**{**vars(row), "name": f"{what}-{number}", "place": str(number)})
        )
    return _with_new(what, field_names)


def _number(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < 5
    # An invalid position puts the row at the end.
    return int(text) if is_number else 9_999


def _text(sent: Mapping[str, str], name: str) -> str:
    # PostgreSQL rejects NUL.
    return sent.get(name, "").replace("\0", "").strip()[:LONGEST]


def _line(sent: Mapping[str, str], name: str) -> str:
    return " ".join(_text(sent, name).split())[: LONGEST_HELP + 1]


def content_of(form: Form) -> Content:
    """The submitted rows as content, valid or not: `Content.check` finds the faults.

    A new row gets a key from its label. An existing row keeps its key, even if its label changes.
    """
    fields: list[FieldSpec] = []
    for row in form.fields:
        if row.is_empty:
            continue
        key = _key(row, [field.key for field in fields])
        choices = _lines(row.choices)
        fields.append(
            FieldSpec(key, row.label, row.type, row.is_required, row.help, choices)
        )
    items: list[Item] = []
    for row in form.items:
        if not row.is_empty:
            key = _key(row, [item.key for item in items])
            items.append(Item(key, row.label, row.is_required, row.help))
    return Content(tuple(fields), tuple(items))


def _key(row: Row, taken: list[str]) -> str:
    if re.fullmatch(r"[a-z0-9_]{1,60}", row.key):
        return row.key
    return key_of(row.label, taken)


def _lines(text: str) -> tuple[str, ...]:
    lines = []
    for line in text.splitlines():
        words = " ".join(line.split())
        if words:
            lines.append(words)
    return tuple(lines)
