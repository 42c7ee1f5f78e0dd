"""What a version of a procedure says: the fields that it adds to a case, and its checklist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# What is typed of one field or item, and how many there may be: a page shows all of them.
MOST_FIELDS = 40
MOST_ITEMS = 60
MOST_CHOICES = 50
LONGEST_LABEL = 120
LONGEST_HELP = 300
LONGEST_KEY = 60

TYPES = {
    "text": "Text",
    "number": "Number",
    "date": "Date",
    "choice": "Choice",
    "yes_no": "Yes or no",
}


class ContentError(Exception):
    """It is no procedure. `faults` say why, in words."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class FieldSpec:
    """A field of one's own. `key` names it for ever; `label` is what people read."""

    key: str
    label: str
    type: str = "text"
    required: bool = False
    help: str = ""
    choices: tuple[str, ...] = ()

    @property
    def type_word(self) -> str:
        return TYPES[self.type]


@dataclass(frozen=True)
class Item:
    """One thing to do before a case is decided."""

    key: str
    label: str
    required: bool = False
    help: str = ""


@dataclass(frozen=True)
class Content:
    fields: tuple[FieldSpec, ...] = ()
    items: tuple[Item, ...] = ()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Content:
        """Of what `to_json` gave. Raises ContentError."""
        fields = []
        for member in value.get("fields", []):
            choices = tuple(member.get("choices", ()))
            fields.append(FieldSpec(**{**member, "choices": choices}))
        items = [Item(**member) for member in value.get("items", [])]
        content = cls(tuple(fields), tuple(items))
        content.check()
        return content

    def to_json(self) -> dict[str, object]:
        fields = []
        for field in self.fields:
            fields.append({**vars(field), "choices": list(field.choices)})
        return {"fields": fields, "items": [dict(vars(item)) for item in self.items]}

    def check(self) -> None:
        """Raises ContentError where it is no procedure."""
        faults = [*_faults_of_fields(self.fields), *_faults_of_items(self.items)]
        if faults:
            raise ContentError(faults)

    def field(self, key: str) -> FieldSpec | None:
        for field in self.fields:
            if field.key == key:
                return field
        return None

    def item(self, key: str) -> Item | None:
        for item in self.items:
            if item.key == key:
                return item
        return None


EMPTY = Content()


def key_of(label: str, taken: Iterable[str]) -> str:
    """A key for a new field or item: the letters of its label, and a number where another has it."""
    words = re.findall(r"[a-z0-9]+", label.lower())
    stem = "_".join(words)[: LONGEST_KEY - 4] or "field"
    others = set(taken)
    key, number = stem, 2
    while key in others:
        key = f"{stem}_{number}"
        number += 1
    return key


def _faults_of_fields(fields: tuple[FieldSpec, ...]) -> list[str]:
    faults = []
    if len(fields) > MOST_FIELDS:
        faults.append(f"At most {MOST_FIELDS} fields.")
    faults += _faults_of_names("field", fields)
    for field in fields:
        if field.type not in TYPES:
            faults.append(f"{field.label}: there is no such type of field.")
        faults += _faults_of_choices(field)
    return faults


def _faults_of_choices(field: FieldSpec) -> list[str]:
    faults = []
    if field.type == "choice" and len(field.choices) < 2:
        faults.append(f"{field.label}: a choice needs two values, one a line.")
    if field.type != "choice" and field.choices:
        faults.append(f"{field.label}: only a choice has values.")
    if len(field.choices) > MOST_CHOICES:
        faults.append(f"{field.label}: at most {MOST_CHOICES} values.")
    if len(set(field.choices)) < len(field.choices):
        faults.append(f"{field.label}: a value stands there twice.")
    if any(len(choice) > LONGEST_LABEL for choice in field.choices):
        faults.append(f"{field.label}: a value is too long.")
    return faults


def _faults_of_items(items: tuple[Item, ...]) -> list[str]:
    faults = []
    if len(items) > MOST_ITEMS:
        faults.append(f"At most {MOST_ITEMS} items.")
    return faults + _faults_of_names("item", items)


def _faults_of_names(what: str, rows: Iterable[FieldSpec | Item]) -> list[str]:
    faults = []
    keys: set[str] = set()
    labels: set[str] = set()
    for row in rows:
        if not row.label.strip() or len(row.label) > LONGEST_LABEL:
            faults.append(f"Each {what} has a name of 1 to {LONGEST_LABEL} characters.")
        if len(row.help) > LONGEST_HELP:
            faults.append(
                f"{row.label}: the help has at most {LONGEST_HELP} characters."
            )
        if row.key in keys or row.label.casefold() in labels:
            faults.append(f"{row.label}: another {what} has this name.")
        if not re.fullmatch(r"[a-z0-9_]{1,60}", row.key):
            faults.append(f"{row.label}: its key is made of a to z, digits and _.")
        keys.add(row.key)
        labels.add(row.label.casefold())
    return faults
