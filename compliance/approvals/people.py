"""Users and their roles as settings. Nobody may grant rights that exceed their own."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from compliance.approvals import registry
from compliance.approvals.registry import Setting

# Apps whose permissions allow granting rights to others, or acting as others.
RIGHTS = (
    "admin",
    "auth",
    "account",
    "contenttypes",
    "mfa",
    "sessions",
    "socialaccount",
)


def register() -> None:
    registry.register(
        Setting(
            User,
            kind="people",
            fields="username first_name last_name email password is_active is_staff "
            "is_superuser",
            many="groups user_permissions",
            secret="password",  # noqa: S106 - the name of a field
            private="first_name last_name email",
            is_at_once=_only_closes,
            objection=_objection,
            objection_to_values=_objection_to_rights,
        )
    )
    registry.register(
        Setting(
            Group,
            kind="people",
            fields="name",
            many="permissions",
            objection_to_values=_objection_to_rights,
        )
    )


# Closing an account reduces risk, so it needs no second person.
def _only_closes(changes: dict[str, object]) -> bool:
    return changes == {"is_active": [True, False]}


def _objection(actor: User, row: models.Model) -> str:
    assert isinstance(row, User)  # noqa: S101 - for the type checker
    if row.pk == actor.pk:
        return _("Nobody approves a change of their own rights.")
    if not may_manage(actor, row):
        return _("This person has rights that you may not give.")
    return ""


def _objection_to_rights(actor: User, values: dict[str, Any]) -> str:
    """Why the actor may not approve these changes of a person or a role: they give too much."""
    if actor.is_superuser:
        return ""
    is_superuser = values.get("is_superuser", (False, False))[1]
    permissions = Permission.objects.filter(
        Q(pk__in=_added(values, "permissions"))
        | Q(pk__in=_added(values, "user_permissions"))
        | Q(group__in=_added(values, "groups"))
    )
    if is_superuser or _exceeding(actor, permissions):
        return _("It gives rights that you may not give.")
    return ""


def _added(values: dict[str, Any], name: str) -> set[int]:
    before, after = values.get(name, ((), ()))
    return set(after or ()) - set(before or ())


def may_manage(actor: User, person: User) -> bool:
    """Whether an actor may change this person, who must not have more rights over people."""
    if actor.is_superuser:
        return True
    if person.is_superuser:
        return False
    theirs = Permission.objects.filter(Q(user=person) | Q(group__user=person))
    return not _exceeding(actor, theirs)


def roles_to_give(actor: User) -> QuerySet[Group]:
    """The roles that an actor may grant: those without more rights over people than the actor's."""
    if actor.is_superuser:
        return Group.objects.all()
    allowed = []
    for group in Group.objects.all():
        if not _exceeding(actor, group.permissions.all()):
            allowed.append(group.pk)
    return Group.objects.filter(pk__in=allowed)


def _exceeding(actor: User, permissions: QuerySet[Permission]) -> bool:
    rows = permissions.filter(content_type__app_label__in=RIGHTS)
    names = rows.values_list("content_type__app_label", "codename")
    wanted = {f"{app}.{codename}" for app, codename in names}
    return not wanted <= actor.get_all_permissions()
