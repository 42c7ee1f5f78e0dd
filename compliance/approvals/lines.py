"""Records administrators' actions as lines. With a desk, they are part of its audit trail.

Without a desk there is no trail: each line is a row of `Line` and is written to the log.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.dispatch import Signal

from compliance.approvals.models import Line
from compliance.approvals.snapshots import ADD, CHANGE, DELETE, Change
from compliance.languages import english

log = logging.getLogger(__name__)

# Sent with `what`, `data` and `user`. Receivers store the line.
recorded = Signal()
WHAT = {ADD: "setting_added", CHANGE: "setting_changed", DELETE: "setting_removed"}
HIDDEN = "…"

_person: ContextVar[User | None] = ContextVar("person", default=None)


@contextmanager
def acting(person: User) -> Iterator[None]:
    """Changes inside this context are made by this person."""
    token = _person.set(person)
    try:
        yield
    finally:
        _person.reset(token)


def person() -> User | None:
    """The person who changes settings now; None: a command or a worker."""
    return _person.get()


def record(what: str, data: Mapping[str, object], *, user: User | None) -> None:
    """Record a line in the same transaction as the action. `data` must contain no secret."""
    if recorded.has_listeners():
        recorded.send(Line, what=what, data=data, user=user)
        return
    name = user.get_username() if user else ""
    line = Line.objects.create(by=name, what=what, data=data)
    # Values may be personal, so they are not logged.
    log.info("administration: line %s, %s", line.pk, what)


@english()
def record_change(change: Change, *, user: User | None) -> None:
    """Record the change of a setting, unless its app records changes itself."""
    if change.setting.has_own_lines:
        return
    data = {
        "what": str(change.setting.model._meta.verbose_name),
        "which": change.which,
        "act": change.act,
        "changes": shown(change, hidden=hidden_in_lines(change)),
    }
    record(WHAT[change.act], data, user=user)


def hidden_in_lines(change: Change) -> list[str]:
    setting = change.setting
    return [*setting.secret.split(), *setting.private.split()]


def shown(change: Change, *, hidden: Collection[str]) -> dict[str, list[object]]:
    """Old and new values per field, for people.

    Hidden values are replaced, so only the change shows.
    """
    setting = change.setting
    values = {}
    for name, pair in change.values.items():
        if name in setting.carried.split():
            continue
        column: Any = setting.model._meta.get_field(name)
        values[name] = list(pair)
        if name in hidden:
            values[name] = [_without_secret(value) for value in pair]
        elif column.is_relation:
            values[name] = [_names(column.related_model, keys) for keys in pair]
    return values


def _without_secret(value: object) -> object:
    """Hide a value. Of a URL the scheme and host stay visible."""
    if not value:
        return value
    if isinstance(value, str) and "://" in value:
        return f"{value.partition('://')[0]}://{urlsplit(value).hostname}/{HIDDEN}"
    return HIDDEN


def _names(model: Any, keys: object) -> object:
    if keys is None or keys == []:
        return None
    pks = keys if isinstance(keys, list) else [keys]
    names = {row.pk: str(row) for row in model._default_manager.filter(pk__in=pks)}
    return ", ".join(names.get(pk, f"new ({pk})") for pk in pks)
