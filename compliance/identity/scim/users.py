"""SCIM users: people as the directory sees and changes them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from compliance.http import numbers
from compliance.http.api.errors import Problem
from compliance.identity.passwords import confirmed_addresses
from compliance.identity.scim import events, values
from compliance.identity.scim.values import JsonObject
from compliance.identity.single_sign_on import last_administrator
from compliance.identity.single_sign_on.roles import set_roles
from compliance.models import DirectoryGroup, DirectoryToken, DirectoryUser
from compliance.security import user_names

NOBODY = "There is no such person."
# Also of a person who was deleted: names are not given to another person, because the trail has them.
TAKEN = "This userName is taken. A deleted person comes back with the same userName and externalId."
SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User"
# Attribute in a filter, in lower case → lookup.
FILTERS = {
    "username": "username__iexact",
    "externalid": "directory_entry__external_id",
    "id": "pk",
    "emails.value": "email__iexact",
    "emails": "email__iexact",
}


def visible() -> QuerySet[User]:
    """All people but superusers: a directory must not control an account with all rights.

    Whom the directory deleted is not there any more (RFC 7644, 3.6), until an administrator of
    the desk makes the person active again.
    """
    rows = User.objects.filter(is_superuser=False)
    rows = rows.exclude(is_active=False, directory_entry__deleted_at__isnull=False)
    return rows.select_related("directory_entry").order_by("pk")


def filtered(rows: QuerySet[User], words: str) -> QuerySet[User]:
    condition = values.filter_of(words)
    column = FILTERS.get(condition.name)
    if column is None:
        raise values.bad("People are found by userName.", "invalidFilter")
    if column == "pk" and numbers.parse(condition.value) is None:
        return rows.none()
    same = rows.filter(**{column: condition.value})
    if column == FILTERS["username"] and not same.exists():
        # Names are stored in normal form, but for those of earlier versions.
        return rows.filter(**{column: user_names.normal(condition.value)})
    return same


def find(key: str) -> User:
    number = numbers.parse(key)
    user = visible().filter(pk=number).first() if number is not None else None
    if user is None:
        raise Problem(404, NOBODY)
    return user


def to_wire(user: User) -> JsonObject:
    """The resource of a person. What has no value is left out (RFC 7643, 2.5), but for lists."""
    entry = getattr(user, "directory_entry", None)
    wire: JsonObject = {
        "schemas": [SCHEMA],
        "id": str(user.pk),
        "userName": user.username,
        "displayName": user.get_full_name() or user.username,
        "active": user.is_active,
        "emails": [],
        "groups": [],
        "meta": {
            "resourceType": "User",
            "created": user.date_joined,
            "location": f"{settings.DESK_URL}/scim/v2/Users/{user.pk}",
        },
    }
    names = {"givenName": user.first_name, "familyName": user.last_name}
    if any(names.values()):
        wire["name"] = {name: value for name, value in names.items() if value}
    if entry is not None and entry.external_id:
        wire["externalId"] = entry.external_id
    if entry is not None:
        wire["meta"]["lastModified"] = entry.changed_at
    if user.email:
        wire["emails"] = [{"value": user.email, "primary": True, "type": "work"}]
    for group in user.directory_groups.all():
        wire["groups"].append(
            {
                "value": str(group.pk),
                "$ref": f"{settings.DESK_URL}/scim/v2/Groups/{group.pk}",
                "display": group.name,
                "type": "direct",
            }
        )
    return wire


@transaction.atomic
def create(body: JsonObject, token: DirectoryToken) -> User:
    """Add a person, or make one active again whom the directory deleted."""
    user = _deleted_before(body)
    earlier = None
    if user is None:
        user = User()
        user.set_unusable_password()
    else:
        earlier = user.email
        _clear(user)
        user.is_active = True
    external_id = _read(user, body)
    _store(user, external_id, earlier=earlier)
    events.send("scim_user_created", token, user_id=user.pk)
    return user


def _deleted_before(body: JsonObject) -> User | None:
    """The deleted person whom this body describes: the user name and the external id are the same.

    The user name alone is not enough: the next person of this name must not get the history of the
    one who left.
    """
    name = values.text(body, "userName", most=150)
    external_id = values.text(body, "externalId", most=200)
    if not name or not external_id:
        return None
    rows = User.objects.filter(is_superuser=False, is_active=False)
    rows = rows.filter(
        username__iexact=user_names.normal(name),
        directory_entry__external_id=external_id,
        directory_entry__deleted_at__isnull=False,
    )
    return rows.select_for_update(of=("self",)).first()


def _clear(user: User) -> None:
    """Remove what the next body sets: what it leaves out is empty afterwards.

    `active` stays: nobody may sign in again because a directory leaves it out.
    """
    user.first_name = user.last_name = user.email = ""


@transaction.atomic
def replace(user: User, body: JsonObject, token: DirectoryToken) -> User:
    user = _locked(user)
    earlier = user.email
    _clear(user)
    external_id = _read(user, body)
    with last_administrator.is_kept():
        _store(user, external_id, earlier=earlier)
    events.send("scim_user_changed", token, user_id=user.pk, active=user.is_active)
    return user


@transaction.atomic
def patch(user: User, body: JsonObject, token: DirectoryToken) -> User:
    user = _locked(user)
    earlier = user.email
    wire = to_wire(user)
    for change in values.changes(body):
        _apply(wire, change)
    # The wire has all attributes that stay.
    _clear(user)
    external_id = _read(user, wire)
    with last_administrator.is_kept():
        _store(user, external_id, earlier=earlier)
    events.send("scim_user_changed", token, user_id=user.pk, active=user.is_active)
    return user


@transaction.atomic
def deactivate(user: User, token: DirectoryToken) -> None:
    """Handle a deletion in the directory: deactivate the person, whom the trail names."""
    with last_administrator.is_kept():
        _deactivate(user)
    events.send("scim_user_deactivated", token, user_id=user.pk)


def _deactivate(user: User) -> None:
    # Groups before people, as when members change: the other order could end in a deadlock.
    groups = user.directory_groups.order_by("pk").select_for_update(of=("self",))
    for group in groups:
        group.members.remove(user)
    user = _locked(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    DirectoryUser.objects.update_or_create(user=user, defaults={"deleted_at": now()})
    set_roles(user, set())


def _locked(user: User) -> User:
    """The person as the database has them now, locked until the transaction ends.

    A directory sends several changes at once. Without this, one that was read before another was
    stored would write back what that other has changed: who was deactivated would be active again.
    """
    row = visible().select_for_update(of=("self",)).filter(pk=user.pk).first()
    if row is None:
        raise Problem(404, NOBODY)
    return row


def _read(user: User, body: JsonObject) -> str:
    """Set the user's attributes from the body. Returns the external id. Raises Problem."""
    name = values.text(body, "userName", most=150)
    if not name:
        raise values.bad("userName is needed.")
    _set_name(user, name)
    parts = values.member(body, "name")
    if isinstance(parts, dict):
        user.first_name = values.text(parts, "givenName", most=150) or ""
        user.last_name = values.text(parts, "familyName", most=150) or ""
    active = values.member(body, "active")
    if active is not None:
        user.is_active = values.flag(active, "active")
    user.email = _email(values.member(body, "emails"))
    return values.text(body, "externalId", most=200) or ""


def _set_name(user: User, name: str) -> None:
    # Who has such a name already can still be changed, above all deactivated. Its normal form may be
    # the name of somebody else.
    if name == user.username:
        return
    name = user_names.normal(name)
    try:
        user_names.require_one_script(name)
    except ValidationError as exc:
        raise values.bad(" ".join(exc.messages)) from exc
    user.username = name


def _email(emails: object) -> str:
    """The primary address, or else the first one."""
    if not emails:
        return ""
    if not isinstance(emails, list) or not all(isinstance(row, dict) for row in emails):
        raise values.bad("emails must be a list of objects.")
    chosen = emails[0]
    for row in emails:
        if values.member(row, "primary") is True:
            chosen = row
    return values.text(chosen, "value", most=254) or ""


def _store(user: User, external_id: str, *, earlier: str | None) -> None:
    """Save the person. `earlier`: the address of before; None of a new person."""
    try:
        user.clean_fields(exclude=["password"])
        if user.email:
            validate_email(user.email)
    except ValidationError as exc:
        raise values.bad(" ".join(exc.messages)) from exc
    others = User.objects.exclude(pk=user.pk)
    if others.filter(username__iexact=user.username).exists():
        raise Problem(409, TAKEN, code="uniqueness")
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Problem(409, TAKEN, code="uniqueness") from None
    entry, _ = DirectoryUser.objects.update_or_create(
        user=user, defaults={"external_id": external_id, "deleted_at": None}
    )
    user.directory_entry = entry
    if earlier is not None and user.email.casefold() != earlier.casefold():
        # The account may be that of somebody whom the directory did not add, with a password and
        # rights of the desk's own. Whoever runs the directory must not get a link for a password.
        confirmed_addresses.doubt_address(user)


def _apply(wire: JsonObject, change: values.Change) -> None:
    """Apply one change to the SCIM representation of a person. Unknown attributes are ignored."""
    value = None if change.op == "remove" else change.value
    if change.path in {"active", "username", "externalid", "name", "emails"}:
        if value is None and change.path in {"active", "username"}:
            raise values.bad(f"{change.path} cannot be removed.", "mutability")
        names = {"username": "userName", "externalid": "externalId"}
        if change.path == "emails" and change.selected is not None:
            value = _emails_of(value)
        wire[names.get(change.path, change.path)] = value
    elif change.path in {"name.givenname", "name.familyname"}:
        part = "givenName" if change.path.endswith("givenname") else "familyName"
        wire["name"] = {**(wire.get("name") or {}), part: value}
    elif change.path == "emails.value":
        wire["emails"] = _emails_of(value)
    elif change.path in {"groups", "id", "meta", "schemas"}:
        raise values.bad(f"{change.path} cannot be changed.", "mutability")


def _emails_of(value: object) -> list[object]:
    if value is None:
        return []
    if isinstance(value, dict):
        return [value]
    return [{"value": value, "primary": True}]


def apply_roles(user: User) -> None:
    """Set the roles that follow from the person's groups.

    Without a table: roles with the same names.
    """
    # Of two groups that a person leaves at once, each would see the person in the other one.
    User.objects.select_for_update().get(pk=user.pk)
    names = set(user.directory_groups.values_list("name", flat=True))
    roles = names
    if settings.SINGLE_SIGN_ON_ROLES:
        roles = {
            role for group, role in settings.SINGLE_SIGN_ON_ROLES if group in names
        }
    set_roles(user, roles)


def members_changed(group: DirectoryGroup, before: set[int]) -> None:
    """Update the roles of everybody who joined or left the group."""
    after = set(group.members.values_list("pk", flat=True))
    for user in visible().filter(pk__in=before ^ after):
        apply_roles(user)
