"""Records a line for each change of a setting, whoever makes it: a page, the admin or a
command.

Connected to the signals of the models in SETTINGS. A line has the old and the new values; for a
secret it says only that it changed. Other apps declare decisive rows in
compliance.security.decisive_rows, for example the accounts of the hub. Their lines bind the row
without values: the act of the person has its own line (compliance.approvals.lines).
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from compliance.approvals import lines
from compliance.languages import english
from compliance.security import decisive_rows
from compliance.security.encryption import EncryptedTextField
from reviews.audit import bound_rows, trail
from reviews.audit.bound_rows import BOUND, SETTINGS, Bound
from reviews.models import ApiToken, BulkAct, Team

_BEFORE = "_values_before"


def connect() -> None:
    """Connect the receivers for every model of SETTINGS and its relations."""
    for model in SETTINGS:
        pre_save.connect(_read_before, sender=model)
        post_save.connect(_record_save, sender=model)
        post_delete.connect(_record_removal, sender=model)
        for name in BOUND[model].many.split():
            relation: Any = model._meta.get_field(name)
            m2m_changed.connect(_record_relation, sender=relation.remote_field.through)
    decisive_rows.watch(_add)
    decisive_rows.row_changed.connect(_bind_row)
    # Deleting a user also deletes their API tokens, without a call of this package.
    post_delete.connect(_record_removal, sender=ApiToken)
    post_delete.connect(bind_removed, sender=BulkAct)
    # Deleting a user or a connection removes it from teams, and Django sends no signal for
    # that.
    for owner in ("auth.User", "reviews.Connection"):
        post_delete.connect(_record_teams, sender=owner)


def _add(model: type[models.Model], fields: str, later: str) -> None:
    """Bind the rows of a model that another app has declared as decisive."""
    BOUND[model] = Bound(fields, later=later)
    post_save.connect(_bind_saved, sender=model)
    post_delete.connect(bind_removed, sender=model)


def _bind_saved(
    instance: models.Model, *, created: bool, raw: bool, **_: object
) -> None:
    if not raw:
        bind(instance, "added" if created else "changed")


def _bind_row(row: models.Model, **_: object) -> None:
    """Called for a change that sends no signal of the model, such as QuerySet.update()."""
    bind(row, "changed")


def bind(instance: models.Model, act: str) -> None:
    """A line without values that binds the row as it is stored now."""
    row = _stored(instance)
    data = _subject(row, act)
    user = lines.person()
    trail.record(None, "setting_bound", data, user=user, about=[row])


def _stored(instance: models.Model) -> models.Model:
    """The row as stored: the instance in memory may have fields that were not saved."""
    rows = type(instance)._default_manager
    return rows.get(pk=instance.pk)


def bind_removed(instance: models.Model, **_: object) -> None:
    data = _subject(instance, "removed")
    user = lines.person()
    trail.record(None, "setting_bound", data, user=user, gone=[instance])


def _record_teams(**_: object) -> None:
    for team in Team.objects.all():
        # Which teams had the deleted row is no longer known, so every team is bound again.
        _record(team, "changed", {})


def _read_before(
    sender: type[models.Model], instance: models.Model, **_: object
) -> None:
    """Keep the stored values on the instance, so that post_save can compare."""
    row = None
    if instance.pk is not None:
        rows = sender._default_manager.filter(pk=instance.pk)
        row = rows.first()
    values = {}
    if row:
        values = _readable(row)
    setattr(instance, _BEFORE, values)


def _record_save(
    instance: models.Model, *, created: bool, raw: bool, **_: object
) -> None:
    before = instance.__dict__.pop(_BEFORE, {})
    # raw: a fixture is being loaded, which is not an act of a person.
    if raw:
        return
    row = _stored(instance)
    after = _readable(row)
    changes = {}
    for name, value in after.items():
        value_before = before.get(name)
        if created or value_before != value:
            changes[name] = [value_before, value]
    if not changes:
        return
    act = "added" if created else "changed"
    public = _without_secrets(row, changes)
    _record(row, act, public)


def _record_removal(instance: models.Model, **_: object) -> None:
    data = _subject(instance, "removed")
    user = lines.person()
    trail.record(None, "setting_removed", data, user=user, gone=[instance])


def _record_relation(
    instance: models.Model,
    action: str,
    *,
    reverse: bool,
    pk_set: set[int] | None,
    **_: object,
) -> None:
    if not action.startswith("post_"):
        return
    # team.members.add(user) gives the team; user.teams.add(team) gives the user ("reverse").
    if not reverse:
        _record(instance, "changed", {})
        return
    if pk_set is None:  # user.teams.clear(): the teams are no longer known
        return
    for row in Team.objects.filter(pk__in=pk_set):
        _record(row, "changed", {})


def _record(row: models.Model, act: str, changes: dict[str, list[object]]) -> None:
    data = _subject(row, act)
    data["changes"] = changes
    user = lines.person()
    trail.record(None, f"setting_{act}", data, user=user, about=[row])


@english()
def _subject(row: models.Model, act: str) -> dict[str, object]:
    return {
        "what": str(row._meta.verbose_name),
        "which": str(row),
        "act": act,
    }


def _readable(row: models.Model) -> dict[str, object]:
    """The bound values of a row, including secrets. Use them only to compare."""
    members = {}
    for name in BOUND[type(row)].names:
        column = bound_rows.column_of(row, name)
        members[name] = getattr(row, column.attname)
    return members


def _without_secrets(
    row: models.Model, changes: dict[str, list[object]]
) -> dict[str, list[object]]:
    public: dict[str, list[object]] = {}
    for name, pair in changes.items():
        column = row._meta.get_field(name)
        if isinstance(column, EncryptedTextField):
            public[name] = ["…", "…"]
        else:
            public[name] = pair
    return public
