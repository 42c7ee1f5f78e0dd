"""Binds users, their roles and rights, and their ways to sign in to the audit trail.

Without this, a person with write access to the database could take a role, set the password of a
colleague or remove their second factor, and then act as both persons of a second approval. Signals of
Django's models call this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models.signals import (
    m2m_changed,
    post_delete,
    post_migrate,
    post_save,
    pre_delete,
    pre_save,
)

from compliance.approvals import lines
from compliance.languages import english
from compliance.models import DirectoryGroup, DirectoryToken, DirectoryUser
from reviews.audit import bound_rows, trail, verification
from reviews.audit.bound_rows import BOUND
from reviews.models import CaseEvent

MODELS: tuple[type[models.Model], ...] = (
    User,
    Group,
    Authenticator,
    SocialAccount,
    EmailAddress,
    DirectoryToken,
    DirectoryUser,
    DirectoryGroup,
)
# Django adds their rows after a migration, without a signal.
RIGHTS: tuple[type[models.Model], ...] = (ContentType, Permission)
# The models of the first version that bound accounts: one line of it stands for both.
_FIRST = {"auth_user", "auth_group"}
_HOLDERS = "_holders_before"
_BEFORE = "_digest_before"


def connect() -> None:
    for model in (*MODELS, *RIGHTS):
        pre_save.connect(_read_before, sender=model)
        post_save.connect(_bind_saved, sender=model)
        post_delete.connect(_bind_removed, sender=model)
        for name in BOUND[model].many.split():
            relation: Any = model._meta.get_field(name)
            m2m_changed.connect(_bind_relation, sender=relation.remote_field.through)
    # Deleting one of these removes its relations without a signal for them.
    for target in (Group, Permission, User):
        pre_delete.connect(_read_holders, sender=target)
        post_delete.connect(_bind_holders, sender=target)
    # Permissions of an app are made after its own post_migrate, so bind them after the last one.
    last = list(apps.get_app_configs())[-1]
    post_migrate.connect(bind_rights, sender=last)


def bind_accounts(**_: object) -> None:
    """Bind the rows of an earlier version, once for each table. Connected to post_migrate."""
    bound = _bound_tables()
    if bound & _FIRST:
        bound |= _FIRST
    new = [model for model in MODELS if model._meta.db_table not in bound]
    if not new:
        return
    for model in new:
        verification.bind(list(model._default_manager.order_by("pk")))
    # Also of an empty table: what is put in behind the desk must not be bound by a later migrate.
    tables = [model._meta.db_table for model in new]
    trail.record(None, "rows_bound", {"tables": tables})


def _bound_tables() -> set[str]:
    events = CaseEvent.objects.filter(what="rows_bound")
    tables: set[str] = set()
    for data in events.values_list("data", flat=True).iterator():
        tables.add(data.get("table", ""))
        tables.update(data.get("tables", ()))
    return tables


def bind_rights(**_: object) -> None:
    """Bind the permissions and tables that a migration has added. Connected to post_migrate.

    A row that was put in behind the desk may be bound, too. It allows nothing: the code asks for
    permissions by name, and the database has each name once.
    """
    tables = {model._meta.db_table for model in RIGHTS}
    events = CaseEvent.objects.filter(what__in=("rows_bound", "setting_bound"))
    bound = set()
    for entries in events.values_list("bindings", flat=True).iterator():
        for entry in entries:
            if entry["table"] in tables:
                bound.add((entry["table"], entry["id"]))
    for model in RIGHTS:
        rows = model._default_manager.order_by("pk")
        table = model._meta.db_table
        verification.bind([row for row in rows if (table, str(row.pk)) not in bound])


def _read_before(
    sender: type[models.Model],
    instance: models.Model,
    *,
    raw: bool,
    update_fields: frozenset[str] | None = None,
    **_: object,
) -> None:
    """Remember the hash of the stored row, so that a save without a change needs no line."""
    if raw or _is_unbound(sender, update_fields):
        return
    row = sender._default_manager.filter(pk=instance.pk).first()
    if row is not None:
        setattr(instance, _BEFORE, bound_rows.digest(row))


def _is_unbound(
    model: type[models.Model], update_fields: frozenset[str] | None
) -> bool:
    """Whether a save writes no bound field. A login saves only its time, which is not bound."""
    return update_fields is not None and update_fields.isdisjoint(BOUND[model].names)


def _bind_saved(
    sender: type[models.Model],
    instance: models.Model,
    *,
    created: bool,
    raw: bool,
    update_fields: frozenset[str] | None = None,
    **_: object,
) -> None:
    before = instance.__dict__.pop(_BEFORE, "")
    if raw or _is_unbound(sender, update_fields):
        return
    row = sender._default_manager.get(pk=instance.pk)
    if created or bound_rows.digest(row) != before:
        _bind(row, "added" if created else "changed")


def _bind(row: models.Model, act: str) -> None:
    """A line without values that binds the row as it is stored now."""
    stored = type(row)._default_manager.get(pk=row.pk)
    data = _subject(stored, act)
    trail.record(None, "setting_bound", data, user=lines.person(), about=[stored])


def _bind_removed(instance: models.Model, **_: object) -> None:
    data = _subject(instance, "removed")
    trail.record(None, "setting_bound", data, user=lines.person(), gone=[instance])


@english()
def _subject(row: models.Model, act: str) -> dict[str, object]:
    which: object = row
    # Not what the row itself is called: that may be an address, and a line stays for ever.
    if isinstance(row, Authenticator | SocialAccount | EmailAddress | DirectoryUser):
        which = row.user_id
    return {"what": str(row._meta.verbose_name), "which": str(which), "act": act}


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
            _bind(instance, "changed")
        return
    if action == "pre_clear":
        _read_holders(instance)
    elif action == "post_clear":
        _bind_holders(instance)
    elif action.startswith("post_"):
        _bind_all(model._default_manager.filter(pk__in=pk_set or ()))


def _read_holders(instance: models.Model, **_: object) -> None:
    """Remember on the instance which rows have this role, permission or member."""
    holders: list[models.Model] = []
    if isinstance(instance, Group):
        holders += User.objects.filter(groups=instance)
    if isinstance(instance, Permission):
        holders += User.objects.filter(user_permissions=instance)
        holders += Group.objects.filter(permissions=instance)
    if isinstance(instance, User):
        holders += DirectoryGroup.objects.filter(members=instance)
    setattr(instance, _HOLDERS, holders)


def _bind_holders(instance: models.Model, **_: object) -> None:
    _bind_all(instance.__dict__.pop(_HOLDERS, ()))


def _bind_all(rows: Iterable[models.Model]) -> None:
    for row in rows:
        _bind(row, "changed")
