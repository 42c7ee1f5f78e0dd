"""Rows that decide, of apps that the desk does not know: accounts, keys, agents and lists of the hub.

Their app declares them when it is ready. Where the desk is on, it binds them to lines of its audit
trail: each change is a line, and `audit_verify` compares the rows with the lines. Without the desk
there is no trail, and each change is a line of the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import models
from django.db.models.signals import post_delete, post_save
from django.dispatch import Signal

log = logging.getLogger(__name__)

# A model, its fields, and those of them that the table got later. Names are separated by spaces.
Watcher = Callable[[type[models.Model], str, str], None]

# Sent for a row that was changed past the signals of its model, by update() or move().
row_changed = Signal()
_declared: dict[type[models.Model], tuple[str, str]] = {}
_watchers: list[Watcher] = []


def declare(model: type[models.Model], fields: str, later: str = "") -> None:
    """Have each change of these fields recorded.

    `later`: fields that the table got when changes were recorded already.
    """
    _declared[model] = (fields, later)
    for watcher in _watchers:
        watcher(model, fields, later)


def watch(watcher: Watcher) -> None:
    """Call this for each declared model, also for those that are declared later."""
    _watchers.append(watcher)
    for model, (fields, later) in _declared.items():
        watcher(model, fields, later)


def changed(row: models.Model) -> None:
    """Record a change that no signal shows. Part of the transaction that makes it."""
    row_changed.send(sender=type(row), row=row)


def log_changes() -> None:
    """Log each change: what is left to do where there is no desk."""
    watch(_log_model)
    row_changed.connect(_log_row)


def _log_model(model: type[models.Model], fields: str, later: str) -> None:
    post_save.connect(_log_save, sender=model)
    post_delete.connect(_log_removal, sender=model)


def _log_save(instance: models.Model, *, created: bool, **_: object) -> None:
    log.info("%s %s was %s", *_name(instance), "added" if created else "changed")


def _log_removal(instance: models.Model, **_: object) -> None:
    log.info("%s %s was removed", *_name(instance))


def _log_row(row: models.Model, **_: object) -> None:
    log.info("%s %s was changed", *_name(row))


def _name(row: models.Model) -> tuple[str, object]:
    return row._meta.label, row.pk
