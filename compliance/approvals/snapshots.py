"""Snapshots of the settings, the difference between two of them, and applying a difference.

Tables of settings are small, so they are read completely: every change shows, however it was made.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from compliance.approvals import registry
from compliance.approvals.registry import Setting
from compliance.db import locks
from compliance.languages import english

Values = dict[str, Any]
Snapshot = dict[str, dict[str, Values]]
ADD, CHANGE, DELETE = "add", "change", "delete"


class OutOfDateError(Exception):
    """A row has changed since the proposal; the message names it."""


@dataclass(frozen=True)
class Change:
    """The change of one row. `values`: field → [old value, new value]."""

    table: str
    key: str
    act: str
    which: str
    values: dict[str, list[object]] = field(default_factory=dict)

    @property
    def setting(self) -> Setting:
        return registry.of(self.table)


def lock() -> None:
    """Let one change of settings happen at a time, until the transaction ends.

    Otherwise two would each count the other's changes as their own.
    """
    locks.lock("changes of settings")


@english()
def take() -> Snapshot:
    """Read all settings: table → key → values.

    Names of rows are in English, as proposals store them.
    """
    snapshot: Snapshot = {}
    for setting in registry.registered():
        rows = setting.model._default_manager.all()
        if setting.many:
            rows = rows.prefetch_related(*setting.many.split())
        snapshot[setting.label] = {str(row.pk): _values(setting, row) for row in rows}
    return snapshot


def _values(setting: Setting, row: models.Model) -> Values:
    # The key "" holds the name of the row.
    values: Values = {"": str(row)}
    for name in (*setting.fields.split(), *setting.carried.split()):
        column: Any = row._meta.get_field(name)
        values[name] = _plain(getattr(row, column.attname))
    for name in setting.many.split():
        values[name] = sorted(other.pk for other in getattr(row, name).all())
    return values


def _plain(value: object) -> object:
    """The value after a round trip through JSON, so that values before and after compare equal."""
    if hasattr(value, "name") and hasattr(value, "storage"):
        value = value.name
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def difference(before: Snapshot, after: Snapshot) -> list[Change]:
    """The rows that differ, in the order of the tables; deletions come last."""
    changes: list[Change] = []
    removed: list[Change] = []
    for setting in registry.registered():
        old_rows, new_rows = before[setting.label], after[setting.label]
        for key, new in new_rows.items():
            old = old_rows.get(key)
            change = _change(setting, key, old, new)
            if change.act == ADD or _settings_of(change):
                changes.append(change)
        for key in old_rows.keys() - new_rows.keys():
            removed.append(_change(setting, key, old_rows[key], None))
    return changes + removed


def _change(
    setting: Setting, key: str, old: Values | None, new: Values | None
) -> Change:
    act = CHANGE
    if old is None:
        act = ADD
    if new is None:
        act = DELETE
    before, after = old or {}, new or {}
    values = {}
    for name in before or after:
        if name and before.get(name) != after.get(name):
            values[name] = [before.get(name), after.get(name)]
    which = (new or old or {})[""]
    return Change(setting.label, key, act, which, values)


def _settings_of(change: Change) -> dict[str, list[object]]:
    """The changed values without carried columns."""
    carried = change.setting.carried.split()
    return {name: pair for name, pair in change.values.items() if name not in carried}


def is_at_once(change: Change) -> bool:
    return change.act == CHANGE and change.setting.is_at_once(_settings_of(change))


def to_json(changes: list[Change]) -> str:
    return json.dumps([asdict(change) for change in changes])


def from_json(text: str) -> list[Change]:
    return [Change(**members) for members in json.loads(text)]


def apply(changes: list[Change]) -> None:
    """Apply the changes in the caller's transaction. Raises OutOfDateError.

    New rows get new primary keys. References to them in the changes are translated.
    """
    keys: dict[tuple[str, str], object] = {}
    # A new row may refer to another new row of a later table, so apply that one first.
    waiting = list(changes)
    while waiting:
        ready = [change for change in waiting if not _refers_to(change, waiting)]
        if not ready:
            raise OutOfDateError("The changes refer to each other.")
        for change in ready:
            _apply_one(change, keys)
            waiting.remove(change)


def _refers_to(change: Change, waiting: list[Change]) -> bool:
    """Whether the change refers to a new row that does not exist yet."""
    missing = {(other.table, other.key) for other in waiting if other.act == ADD}
    missing.discard((change.table, change.key))
    for name, (_old, new) in change.values.items():
        column: Any = change.setting.model._meta.get_field(name)
        if not column.is_relation or change.act == DELETE:
            continue
        label = column.related_model._meta.label_lower
        targets = new if isinstance(new, list) else [new]
        if any((label, str(target)) in missing for target in targets):
            return True
    return False


def _apply_one(change: Change, keys: dict[tuple[str, str], object]) -> None:
    setting = change.setting
    row = setting.model()
    if change.act != ADD:
        row = _present(change)
    if change.act == DELETE:
        row.delete()
        return
    relations = {}
    for name, (_old, new) in change.values.items():
        column: Any = setting.model._meta.get_field(name)
        if column.is_relation:
            label = column.related_model._meta.label_lower
            new = _translated(label, new, keys)
        if column.many_to_many:
            relations[name] = new
        else:
            setattr(row, column.attname, column.to_python(new))
    row.save()
    keys[change.table, change.key] = row.pk
    for name, targets in relations.items():
        getattr(row, name).set(targets)


def _present(change: Change) -> models.Model:
    """The stored row, locked, if it is unchanged since the proposal. Raises OutOfDateError."""
    setting = change.setting
    rows = setting.model._default_manager.select_for_update()
    try:
        row = rows.get(pk=change.key)
    except ObjectDoesNotExist:
        raise OutOfDateError(f"{change.which} is gone.") from None
    present = _values(setting, row)
    for name, (old, _new) in _settings_of(change).items():
        if present[name] != old:
            raise OutOfDateError(f"{change.which} was changed meanwhile: {name}.")
    return row


def _translated(
    label: str, value: object, keys: dict[tuple[str, str], object]
) -> object:
    if isinstance(value, list):
        return [keys.get((label, str(one)), one) for one in value]
    return keys.get((label, str(value)), value)
