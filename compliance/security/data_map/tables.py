"""The data map: personal data per column, with purpose, retention and effect of an erasure.

Each app registers a `Table` per model that names every field; a test checks this. So a new field
must be declared either personal or not personal. docs/privacy.md is generated from the map, and
erasure processes its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.apps import apps
from django.db import models

from compliance.security import data_keys
from compliance.security.data_map import hiding
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import Sealed

# The text that replaces an erased text.
ERASED = "[erased]"


class Act(StrEnum):
    """What erasure does to a row that holds personal data."""

    BLANK = "emptied; the row stays"
    REMOVE = "the row is removed"
    STAY = "stays"


@dataclass(frozen=True)
class Table:
    """The personal data in one model.

    `plain`: the names of the fields without personal data, separated by spaces.
    `personal`: the other fields → a description of their content.
    `path`: the lookup from a row to its case or job; empty if it belongs to none.
    `rows`: a function that finds the rows of a case or job instead of `path`.
    `values`: what erasure writes to a field; by default the empty value of its type. Files
    (`FileField`) are always deleted from the store. `note`: why a table is not erased.
    `is_searched`: erasure searches the table for rows that name the subject, and changes or removes them,
    although they belong to no case. `is_secret`: who reads a case must not learn that it has rows of the table,
    so neither the page nor the trail of its erasure names them.
    """

    model: str
    plain: str
    personal: Mapping[str, str] = field(default_factory=dict)
    # The purpose of the data, and how long they are kept: sentences for docs/privacy.md.
    why: str = ""
    kept: str = ""
    act: Act = Act.STAY
    path: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    rows: Callable[[Any], models.QuerySet[Any]] | None = None
    note: str = ""
    is_searched: bool = False
    is_secret: bool = False

    @property
    def cls(self) -> type[models.Model]:
        return apps.get_model(self.model)

    def fields(self) -> list[Any]:
        """The model fields of `personal`, in the same order."""
        return [self.cls._meta.get_field(name) for name in self.personal]

    def file_fields(self) -> list[models.FileField]:
        return [field for field in self.fields() if isinstance(field, models.FileField)]

    def of(self, owner: models.Model) -> models.QuerySet[Any]:
        """The rows that belong to a case or to a job."""
        if self.rows is not None:
            return self.rows(owner)
        return self.cls._default_manager.filter(**{self.path: owner.pk})

    @property
    def is_changed(self) -> bool:
        """Whether an erasure changes or removes rows of the table."""
        return self.is_searched or self.act is not Act.STAY

    def blanks(self, key_id: int = data_keys.INSTALLATION) -> dict[str, object]:
        """The values that erasure writes: name of the field → value.

        `key_id` is the erased data key of the case. With it, an encrypted text reads as ERASED."""
        values: dict[str, object] = {}
        for column in self.fields():
            if column.many_to_many:
                continue  # no column of the table
            value = self.values.get(column.name, _empty(column))
            if is_encrypted(column):
                value = _erased_value(column, key_id, value)
            values[column.name] = value
        # `values` may also name fields that are not personal but change, such as a status.
        return {**self.values, **values}


def is_encrypted(column: object) -> bool:
    """Whether the field is one of personal_fields, which encrypt with a data key."""
    return type(column).__name__.startswith("Personal") and hasattr(column, "sealed")


def _erased_value(column: Any, key_id: int, value: object) -> object:
    # An emptied text becomes a token without text, which reads as ERASED. Others become empty
    # bytes.
    if value == ERASED:
        return Sealed(data_keys.erased_token(key_id), column)
    return b""


# Label of a model → its declaration.
_tables: dict[str, Table] = {}


def register(*tables: Table) -> None:
    """Add tables to the map. Each app calls it when it is ready."""
    for table in tables:
        _tables[table.model] = table
        # Declared columns are also masked for people who must not see names.
        hiding.hide(table.model, table.fields())


def of_app(*labels: str) -> Iterator[Table]:
    """The tables of these apps, in the order of their declaration."""
    for name, table in _tables.items():
        if name.partition(".")[0] in labels:
            yield table


def table(model: type[models.Model]) -> Table:
    return _tables[model._meta.label]


def faults() -> list[str]:
    """The faults of the map as sentences: missing or wrong declarations. Empty: it is complete."""
    lines = []
    models_by_label = {model._meta.label: model for model in apps.get_models()}
    for label in _tables.keys() - models_by_label.keys():
        lines.append(f"{label} is in the map, and is no model.")
    for label, model in models_by_label.items():
        if label in _tables:
            lines += _field_faults(model, _tables[label])
        else:
            lines.append(f"{label} is not in the map.")
    return lines


def _field_faults(model: type[models.Model], table: Table) -> list[str]:
    present = {field.name for field in model._meta.get_fields() if field.concrete}
    plain = set(table.plain.split())
    personal = set(table.personal)
    lines = []
    for name in sorted(present - plain - personal):
        lines.append(f"{table.model}.{name} is declared neither personal nor plain.")
    for name in sorted((plain | personal) - present):
        lines.append(f"{table.model}.{name} is in the map, and is no field.")
    for name in sorted(plain & personal):
        lines.append(f"{table.model}.{name} is declared twice.")
    if personal and not (table.why and table.kept):
        lines.append(f"{table.model} does not say why it is kept, and how long.")
    is_erased = table.act is not Act.STAY
    if personal and is_erased and not (table.path or table.rows):
        lines.append(f"{table.model} is erased, and nothing leads from it to a case.")
    if personal and not is_erased and not table.note:
        lines.append(f"{table.model} stays, and does not say why.")
    return lines


def protection(column: object) -> str:
    """How a column is protected, as text."""
    kind = type(column).__name__
    if kind.startswith("Personal"):
        return "encrypted with the key of the case"
    if isinstance(column, EncryptedTextField):
        return "encrypted with `ENCRYPTION_KEY`"
    if isinstance(column, models.FileField):
        return "a file in the document store"
    return "access to the database"


def markdown() -> str:
    """The map as Markdown tables for docs/privacy.md."""
    parts = []
    app = ""
    for label in sorted(_tables, key=_place):
        table = _tables[label]
        if not table.personal:
            continue
        if app != label.partition(".")[0]:
            app = label.partition(".")[0]
            parts.append(f"### {_TITLES.get(app, app)}\n")
        parts.append(_table_markdown(table))
    return "\n".join(parts)


_TITLES = {
    "reviews": "The desk (`reviews`)",
    "webhooks": "The receiver (`webhooks`)",
    "agenthub": "The hub (`agenthub`)",
}


def _place(label: str) -> tuple[int, int, str]:
    """The sort key of a table: the desk first; within an app in the order of declaration."""
    app = label.partition(".")[0]
    order = list(_TITLES)
    place = order.index(app) if app in order else len(order)
    return place, list(_tables).index(label) if place < len(order) else 0, label


def _table_markdown(table: Table) -> str:
    name = table.model.partition(".")[2]
    erasure = str(table.act)
    if table.note:
        erasure = f"{erasure}. {table.note}"
    lines = [
        f"**{name}**: {table.why} Kept: {table.kept} Erasure: {erasure}\n",
        "| Column | What | Protected by |",
        "|---|---|---|",
    ]
    for column in table.fields():
        what = table.personal[column.name]
        lines.append(f"| `{column.name}` | {what} | {protection(column)} |")
    return "\n".join(lines) + "\n"


def _empty(column: Any) -> object:
    if isinstance(column, models.JSONField) or "JSON" in type(column).__name__:
        default = column.get_default()
        return {} if default is None else default
    if isinstance(column, models.BinaryField):
        return b""
    if column.null:
        return None
    return ""
