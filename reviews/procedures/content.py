"""The content of a procedure version: custom fields and a checklist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from reviews.wire import JsonObject

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Limits for one version, in rows and characters. A page shows all of its rows.
MOST_FIELDS = 40
MOST_ITEMS = 60
MOST_CHOICES = 50
LONGEST_LABEL = 120
LONGEST_HELP = 300
LONGEST_KEY = 60

TYPES = {
    "text": gettext_lazy("Text"),
    "number": pgettext_lazy("kind of field", "Number"),
    "date": gettext_lazy("Date"),
    "choice": gettext_lazy("Choice"),
    "yes_no": gettext_lazy("Yes or no"),
}


class ContentError(Exception):
    """The content is invalid. `faults` are sentences for the page."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class FieldSpec:
    """A custom field. `key` never changes; `label` is what users read."""

    key: str
    label: str
    type: str = "text"
    required: bool = False
    help: str = ""
    choices: tuple[str, ...] = ()

    @property
    def type_word(self) -> str:
        return str(TYPES[self.type])


@dataclass(frozen=True)
class Item:
    """One step to do before a case is decided."""

    key: str
    label: str
    required: bool = False
    help: str = ""


@dataclass(frozen=True)
class Content:
    fields: tuple[FieldSpec, ...] = ()
    items: tuple[Item, ...] = ()

    @classmethod
    def from_json(cls, value: JsonObject) -> Content:
        """The inverse of to_json(). Raises ContentError."""
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
        """Raise ContentError if the content is not valid."""
        # All faults at once, so that the user can correct them together.
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


class _Names(NamedTuple):
    """Messages about invalid names, for fields or for items."""

    length: StrOrPromise
    repeated: StrOrPromise


_OF_FIELDS = _Names(
    gettext_lazy("Each field has a name of 1 to %(most)d characters."),
    gettext_lazy("%(label)s: another field has this name."),
)
_OF_ITEMS = _Names(
    gettext_lazy("Each item has a name of 1 to %(most)d characters."),
    gettext_lazy("%(label)s: another item has this name."),
)


def key_of(label: str, taken: Iterable[str]) -> str:
    """A key for a new field or item, made from its label. A number is added if the key is taken."""
    words = re.findall(r"[a-z0-9]+", label.lower())
    # Four characters are left for a number.
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
        faults.append(_("At most %(most)d fields.") % {"most": MOST_FIELDS})
    faults += _faults_of_names(_OF_FIELDS, fields)
    for field in fields:
        if field.type not in TYPES:
            faults.append(
                _("%(label)s: there is no such type of field.") % {"label": field.label}
            )
        faults += _faults_of_choices(field)
    return faults


def _faults_of_choices(field: FieldSpec) -> list[str]:
    faults = []
    if field.type == "choice" and len(field.choices) < 2:
        faults.append(
            _("%(label)s: a choice needs two values, one a line.")
            % {"label": field.label}
        )
    if field.type != "choice" and field.choices:
        faults.append(
            _("%(label)s: only a choice has values.") % {"label": field.label}
        )
    if len(field.choices) > MOST_CHOICES:
        faults.append(
            _("%(label)s: at most %(most)d values.")
            % {"label": field.label, "most": MOST_CHOICES}
        )
    if len(set(field.choices)) < len(field.choices):
        faults.append(
            _("%(label)s: a value stands there twice.") % {"label": field.label}
        )
    if any(len(choice) > LONGEST_LABEL for choice in field.choices):
        faults.append(_("%(label)s: a value is too long.") % {"label": field.label})
    return faults


def _faults_of_items(items: tuple[Item, ...]) -> list[str]:
    faults = []
    if len(items) > MOST_ITEMS:
        faults.append(_("At most %(most)d items.") % {"most": MOST_ITEMS})
    return faults + _faults_of_names(_OF_ITEMS, items)


def _faults_of_names(names: _Names, rows: Iterable[FieldSpec | Item]) -> list[str]:
    faults = []
    keys: set[str] = set()
    labels: set[str] = set()
    for row in rows:
        words = {"label": row.label, "most": LONGEST_LABEL}
        if not row.label.strip() or len(row.label) > LONGEST_LABEL:
            faults.append(names.length % words)
        if len(row.help) > LONGEST_HELP:
            words_of_help = {"label": row.label, "most": LONGEST_HELP}
            sentence = _("%(label)s: the help has at most %(most)d characters.")
            faults.append(sentence % words_of_help)
        # Labels are compared without case, because users would not tell them apart.
        if row.key in keys or row.label.casefold() in labels:
            faults.append(names.repeated % words)
        if not re.fullmatch(r"[a-z0-9_]{1,60}", row.key):
            sentence = _("%(label)s: its key is made of a to z, digits and _.")
            faults.append(sentence % words)
        keys.add(row.key)
        labels.add(row.label.casefold())
    return faults
