"""Decisive rows: accounts, keys, agents and lists of the hub, whose changes must be recorded.

Their app declares them when it is ready. If the desk is installed, it binds them to its audit
trail: each change becomes a line of the trail, and `audit_verify` compares the rows with the lines.
Without the desk there is no trail, and each change is written to the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from django.db import models
from django.db.models.signals import post_delete, post_save
from django.dispatch import Signal

log = logging.getLogger(__name__)

# Called with a model, its recorded fields, and those of them that were added later. Names are
# separated by spaces.
Watcher = Callable[[type[models.Model], str, str], None]

# Sent for a row that was changed without the model's signals, by update() or move().
row_changed = Signal()
_declared: dict[type[models.Model], tuple[str, str]] = {}
_watchers: list[Watcher] = []
# Compare rows of other tables, which follow from the declared ones.
_verifiers: list[Callable[[], Iterator[str]]] = []


def declare(model: type[models.Model], fields: str, later: str = "") -> None:
    """Have changes of these fields recorded.

    `later`: those of the fields that were added after recording began.
    """
    _declared[model] = (fields, later)
    for watcher in _watchers:
        watcher(model, fields, later)


def watch(watcher: Watcher) -> None:
    """Call `watcher` for each declared model, including those that are declared later."""
    _watchers.append(watcher)
    for model, (fields, later) in _declared.items():
        watcher(model, fields, later)


def verify_with(verifier: Callable[[], Iterator[str]]) -> None:
    """Have `audit_verify` call this, too. It gives the faults as sentences."""
    _verifiers.append(verifier)


def faults() -> Iterator[str]:
    """The faults of the rows that follow from the declared ones."""
    for verifier in _verifiers:
        yield from verifier()


def changed(row: models.Model) -> None:
    """Record a change that sends no signal. Call it in the transaction that makes the change."""
    row_changed.send(sender=type(row), row=row)


def log_changes() -> None:
    """Write each change to the log. For an installation without the desk."""
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
