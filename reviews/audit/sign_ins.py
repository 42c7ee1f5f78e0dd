"""Records a line for each event of an account: logins, passwords, second factors, roles.

Connected to the signals of Django and django-allauth. What a person typed is never recorded:
people sometimes type their password into the field of the user name.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from allauth.account import signals as account
from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa import signals as second_factors
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.auth.signals import (
    user_logged_in,
    user_logged_out,
    user_login_failed,
)
from django.db.models.signals import m2m_changed
from django.http import HttpRequest

from compliance.identity import step_up
from compliance.identity.scim.events import directory_act
from compliance.identity.single_sign_on.events import administrators_kept
from compliance.models import DirectoryToken
from reviews.audit import trail

# django-allauth's name of a login by any provider.
SINGLE_SIGN_ON = "socialaccount"


def connect() -> None:
    user_logged_in.connect(_record_login)
    user_logged_out.connect(_record_logout)
    user_login_failed.connect(_record_failure)
    for signal in (
        account.password_set,
        account.password_changed,
        account.password_reset,
    ):
        signal.connect(_record_password)
    second_factors.authenticator_added.connect(_record_factor_added)
    second_factors.authenticator_removed.connect(_record_factor_removed)
    second_factors.authenticator_reset.connect(_record_factor_reset)
    second_factors.authenticator_used.connect(_record_factor_use)
    step_up.confirmed_by_password.connect(_record_confirmation)
    second_factors.authentication_failed.connect(_record_factor_failure)
    m2m_changed.connect(_record_roles, sender=User.groups.through)
    directory_act.connect(_record_directory)
    administrators_kept.connect(_record_kept_administrators)


def _record_login(request: HttpRequest | None, user: User, **_: object) -> None:
    if _is_of_browser(request):
        trail.record(None, "signed_in", {"by": _ways(request, user)}, user=user)


def _ways(request: HttpRequest, user: User) -> list[str]:
    """The factors of this login, in their order: `password`, `totp`, `webauthn` and others."""
    records = get_authentication_records(request, user)
    ways = [str(record.get("type") or record["method"]) for record in records]
    if not settings.SAML_IDP_ENTITY_ID:
        return ways
    # django-allauth has one word for all protocols of single sign-on.
    return ["saml" if way == SINGLE_SIGN_ON else way for way in ways]


def _record_logout(request: HttpRequest | None, user: User | None, **_: object) -> None:
    # `user` is None if the login of the session had ended before.
    if user and _is_of_browser(request):
        trail.record(None, "signed_out", user=user)


def _record_failure(
    credentials: dict[str, object], request: HttpRequest | None = None, **_: object
) -> None:
    if not _is_of_browser(request):
        return
    user = User.objects.filter(username=credentials.get("username")).first()
    # A line is recorded for an unknown name, too. Otherwise the response time would reveal
    # which names exist.
    pk = user.pk if user else None
    trail.record(None, "sign_in_failed", {"user_id": pk})


def _record_password(user: User, **_: object) -> None:
    trail.record(None, "password_changed", user=user)


def _record_factor_added(user: User, authenticator: Authenticator, **_: object) -> None:
    trail.record(None, "second_factor_added", _kind(authenticator), user=user)


def _record_factor_removed(
    user: User, authenticator: Authenticator, **_: object
) -> None:
    trail.record(None, "second_factor_removed", _kind(authenticator), user=user)


def _record_factor_reset(user: User, authenticator: Authenticator, **_: object) -> None:
    trail.record(None, "second_factor_reset", _kind(authenticator), user=user)


def _record_factor_use(
    user: User, authenticator: Authenticator, *, reauthenticated: bool, **_: object
) -> None:
    """Record the use of a recovery code, and a confirmation. A login has its own line."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        trail.record(None, "recovery_code_used", user=user)
    if reauthenticated:
        by = str(authenticator.type)
        trail.record(None, "identity_confirmed", {"by": [by]}, user=user)


def _record_confirmation(user: User, **_: object) -> None:
    trail.record(None, "identity_confirmed", {"by": ["password"]}, user=user)


def _record_factor_failure(user: User, **_: object) -> None:
    trail.record(None, "second_factor_failed", {"user_id": user.pk})


def _kind(authenticator: Authenticator) -> dict[str, object]:
    return {"kind": str(authenticator.type)}


def _record_roles(
    instance: Any, action: str, *, reverse: bool, pk_set: set[int] | None, **_: object
) -> None:
    """Record changes of roles, from a page, the admin, single sign-on or a command."""
    acts = {
        "post_add": "roles_given",
        "post_remove": "roles_taken",
        "pre_clear": "roles_taken",
    }
    what = acts.get(action)
    if what is None or pk_set == set():
        # An empty set: nothing changed. A clear is handled before it happens ("pre_clear"),
        # while the roles are still known; its `pk_set` is None.
        return
    # reverse: group.user_set.add(user), so the instance is the group.
    if reverse:
        people = User.objects.filter(pk__in=pk_set or [])
        if pk_set is None:
            people = instance.user_set.all()
        for person in people:
            _record_change_of_roles(what, person, [instance.name])
        return
    groups = instance.groups.all()
    if pk_set is not None:
        groups = Group.objects.filter(pk__in=pk_set)
    names = sorted(groups.values_list("name", flat=True))
    if names:
        _record_change_of_roles(what, instance, names)


def _record_change_of_roles(what: str, person: User, names: list[str]) -> None:
    trail.record(None, what, {"user_id": person.pk, "roles": names})


def _is_of_browser(request: HttpRequest | None) -> TypeGuard[HttpRequest]:
    """Whether a browser sent the request. Commands log in with none, or with an empty one."""
    return request is not None and "REMOTE_ADDR" in request.META


def _record_directory(
    what: str, token: DirectoryToken, data: dict[str, object], **_: object
) -> None:
    trail.record(None, what, {"token": token.prefix, **data})


def _record_kept_administrators(people: list[int], by: str, **_: object) -> None:
    """Record that somebody wanted to take away the last administrator, and was refused."""
    trail.record(None, "administrator_kept", {"user_ids": people, "by": by})
