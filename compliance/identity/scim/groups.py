"""SCIM groups. People's roles follow from them, by the same table as with single sign-on."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from compliance.http import numbers
from compliance.http.api.errors import Problem
from compliance.identity.scim import events, users, values
from compliance.identity.scim.values import JsonObject
from compliance.identity.single_sign_on import last_administrator
from compliance.models import DirectoryGroup, DirectoryToken

NO_GROUP = "There is no such group."
SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group"
# Attribute in a filter, in lower case → column.
FILTERS = {"displayname": "name", "externalid": "external_id"}


def visible() -> QuerySet[DirectoryGroup]:
    return DirectoryGroup.objects.prefetch_related("members").order_by("name")


def filtered(rows: QuerySet[DirectoryGroup], words: str) -> QuerySet[DirectoryGroup]:
    condition = values.filter_of(words)
    column = FILTERS.get(condition.name)
    if column is None:
        raise values.bad("Groups are found by displayName.", "invalidFilter")
    return rows.filter(**{column: condition.value})


def find(key: str) -> DirectoryGroup:
    try:
        group = visible().filter(pk=uuid.UUID(key)).first()
    except ValueError:
        group = None
    if group is None:
        raise Problem(404, NO_GROUP)
    return group


def to_wire(group: DirectoryGroup) -> JsonObject:
    members = []
    for user in group.members.all():
        members.append(
            {
                "value": str(user.pk),
                "$ref": f"{settings.DESK_URL}/scim/v2/Users/{user.pk}",
                "display": user.username,
                "type": "User",
            }
        )
    wire: JsonObject = {
        "schemas": [SCHEMA],
        "id": str(group.pk),
        "displayName": group.name,
        "members": members,
        "meta": {
            "resourceType": "Group",
            "created": group.created_at,
            "lastModified": group.changed_at,
            "location": f"{settings.DESK_URL}/scim/v2/Groups/{group.pk}",
        },
    }
    if group.external_id:
        wire["externalId"] = group.external_id
    return wire


@transaction.atomic
@last_administrator.is_kept()
def create(body: JsonObject, token: DirectoryToken) -> DirectoryGroup:
    group = DirectoryGroup()
    _read(group, body)
    _set_members(group, _people(values.member(body, "members")), token)
    return group


@transaction.atomic
@last_administrator.is_kept()
def replace(
    group: DirectoryGroup, body: JsonObject, token: DirectoryToken
) -> DirectoryGroup:
    group = _locked(group)
    _read(group, body)
    _set_members(group, _people(values.member(body, "members")), token)
    return group


@transaction.atomic
@last_administrator.is_kept()
def patch(
    group: DirectoryGroup, body: JsonObject, token: DirectoryToken
) -> DirectoryGroup:
    group = _locked(group)
    members = set(group.members.all())
    for change in values.changes(body):
        if change.path == "members":
            members = _changed_members(members, change)
        elif change.path in {"displayname", "externalid"}:
            name = "displayName" if change.path == "displayname" else "externalId"
            _read(group, {**to_wire(group), name: change.value})
        elif change.path in {"id", "meta", "schemas"}:
            raise values.bad(f"{change.path} cannot be changed.", "mutability")
    _set_members(group, members, token)
    return group


@transaction.atomic
@last_administrator.is_kept()
def delete(group: DirectoryGroup, token: DirectoryToken) -> None:
    group = _locked(group)
    members = list(group.members.all())
    events.send("scim_group_deleted", token, group=group.name)
    group.delete()
    for user in members:
        users.apply_roles(user)


def _locked(group: DirectoryGroup) -> DirectoryGroup:
    """The group as the database has it now, locked until the transaction ends.

    Without this, one of two changes at once would write back members that the other has removed.
    """
    row = DirectoryGroup.objects.select_for_update().filter(pk=group.pk).first()
    if row is None:
        raise Problem(404, NO_GROUP)
    return row


def _read(group: DirectoryGroup, body: JsonObject) -> None:
    name = values.text(body, "displayName", most=200)
    if not name:
        raise values.bad("displayName is needed.")
    if DirectoryGroup.objects.filter(name=name).exclude(pk=group.pk).exists():
        raise Problem(409, "This displayName is taken.", code="uniqueness")
    is_renamed = not group._state.adding and group.name != name
    group.name = name
    group.external_id = values.text(body, "externalId", most=200) or ""
    group.save()
    # Roles depend on the group's name.
    if is_renamed:
        for user in group.members.all():
            users.apply_roles(user)


def _people(members: object) -> set[User]:
    """The people in a list of members. Raises Problem if one does not exist."""
    if members is None:
        return set()
    rows = members if isinstance(members, list) else [members]
    keys = set()
    for row in rows:
        key = values.member(row, "value") if isinstance(row, dict) else None
        if not isinstance(key, str) or numbers.parse(key) is None:
            raise values.bad("A member is named by its value, the id of a person.")
        keys.add(int(key))
    people = set(users.visible().filter(pk__in=keys))
    if len(people) < len(keys):
        raise values.bad("A member of this group does not exist.")
    return people


def _changed_members(members: set[User], change: values.Change) -> set[User]:
    selected = change.selected
    if selected is not None and (change.op, selected.name) != ("remove", "value"):
        # Ignored, it would leave somebody in whom the directory takes for removed.
        raise values.bad("Only a removal selects a member, by value.", "invalidFilter")
    if change.op == "replace":
        return _people(change.value)
    if change.op == "add":
        return members | _people(change.value)
    # RFC 7644: members[value eq "2819c223"] selects one member to remove.
    if selected is not None:
        return {user for user in members if str(user.pk) != selected.value}
    if change.value is None:
        return set()
    keys = {user.pk for user in _people(change.value)}
    return {user for user in members if user.pk not in keys}


def _set_members(
    group: DirectoryGroup, members: set[User], token: DirectoryToken
) -> None:
    before = set(group.members.values_list("pk", flat=True))
    group.members.set(members)
    group.save(update_fields=["changed_at"])
    users.members_changed(group, before)
    ids = sorted(user.pk for user in members)
    events.send("scim_group_changed", token, group=group.name, members=ids)
