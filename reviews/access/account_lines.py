"""Binds users, their roles and the permissions of roles to the audit trail.

Without this, a person with write access to the database could take a role or set the password of a
colleague, and then act as both persons of a second approval. Signals of Django's models call this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db import models
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete

from reviews.audit import settings_lines, verification
from reviews.audit.bound_rows import BOUND
from reviews.models import CaseEvent

MODELS: tuple[type[models.Model], ...] = (User, Group)
_HOLDERS = "_holders_before"


def connect() -> None:
    for model in MODELS:
        post_save.connect(_bind_saved, sender=model)
        post_delete.connect(settings_lines.bind_removed, sender=model)
        for name in BOUND[model].many.split():
            relation: Any = model._meta.get_field(name)
            m2m_changed.connect(_bind_relation, sender=relation.remote_field.through)
    # Deleting a role or a permission removes its relations without a signal for them.
    for target in (Group, Permission):
        pre_delete.connect(_read_holders, sender=target)
        post_delete.connect(_bind_holders, sender=target)


def bind_accounts(**_: object) -> None:
    """Bind the accounts of an earlier version, once. Connected to post_migrate."""
    table = Group._meta.db_table
    lines = CaseEvent.objects.filter(what="rows_bound")
    for data in lines.values_list("data", flat=True).iterator():
        if data.get("table") == table:
            return
    for model in MODELS:
        verification.bind(list(model._default_manager.order_by("pk")))


def _bind_saved(
    sender: type[models.Model],
    instance: models.Model,
    *,
    created: bool,
    raw: bool,
    update_fields: frozenset[str] | None = None,
    **_: object,
) -> None:
    # A login saves only its time, which is not bound.
    if update_fields is not None and update_fields.isdisjoint(BOUND[sender].names):
        return
    if not raw:
        settings_lines.bind(instance, "added" if created else "changed")


def _bind_relation(
    sender: type[models.Model],
    instance: models.Model,
    action: str,
    *,
    reverse: bool,
    model: type[models.Model],
    pk_set: set[int] | None,
    **_: object,
) -> None:
    """Bind the rows whose relation has changed.

    With `reverse`, the change was made from the other side: the rows of `model` hold the relation.
    """
    if not reverse:
        if action.startswith("post_"):
            settings_lines.bind(instance, "changed")
        return
    if action == "pre_clear":
        _read_holders(instance)
    elif action == "post_clear":
        _bind_holders(instance)
    elif action.startswith("post_"):
        _bind_all(model._default_manager.filter(pk__in=pk_set or ()))


def _read_holders(instance: models.Model, **_: object) -> None:
    """Remember on the instance which rows have this role or permission."""
    holders: list[models.Model] = []
    if isinstance(instance, Group):
        holders += User.objects.filter(groups=instance)
    if isinstance(instance, Permission):
        holders += User.objects.filter(user_permissions=instance)
        holders += Group.objects.filter(permissions=instance)
    setattr(instance, _HOLDERS, holders)


def _bind_holders(instance: models.Model, **_: object) -> None:
    _bind_all(instance.__dict__.pop(_HOLDERS, ()))


def _bind_all(rows: Iterable[models.Model]) -> None:
    for row in rows:
        settings_lines.bind(row, "changed")
