"""API tokens of the desk: create them, revoke them, and find the one that a request carries."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from compliance.identity import notices
from compliance.security import bearer_keys
from reviews.access import roles
from reviews.audit import trail
from reviews.models import ApiToken
from reviews.models.people import PERSONAL, Scope

# Every token starts with this, so that people and tools recognise it.
MARK = "desk_"


@transaction.atomic
def create(
    *,
    actor: User,
    user: User,
    name: str,
    scopes: Collection[str],
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Create a token that acts as `user`. Returns the row and the secret, which is shown only
    once.

    An administrator may create a token for another user, but not with a scope that decides, writes
    or manages: with it, one person could act as both reviewers of a decision.

    Raises PermissionDenied, or ValueError if a scope is unknown or none is chosen.
    """
    roles.require(actor, roles.TOKEN)
    if user.pk != actor.pk:
        roles.require(actor, roles.EVERY_TOKEN)
        if PERSONAL & set(scopes):
            raise PermissionDenied(
                _("A token that decides, writes or manages is made by its own user.")
            )
    if not scopes or not set(scopes) <= set(Scope.values):
        raise ValueError(_("Choose at least one scope."))
    key = bearer_keys.generate(MARK)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=key.prefix,
        digest=key.digest,
        scopes=[scope for scope in Scope.values if scope in scopes],
        made_by=actor,
        expires_at=expires_at or bearer_keys.default_end(),
    )
    data = _event_data(token)
    trail.record(None, "token_made", data, user=actor, about=[token])
    for person in {actor, user}:
        notices.send(person, notices.TOKEN_MADE)
    return token, key.raw


@transaction.atomic
def revoke(token: ApiToken, *, actor: User) -> bool:
    """Revoke a token permanently, with immediate effect. Returns False if it was already
    revoked.
    """
    if token.user_id == actor.pk:
        permission = roles.TOKEN
    else:
        permission = roles.EVERY_TOKEN
    roles.require(actor, permission)
    if not bearer_keys.revoke(token):
        return False
    data = _event_data(token)
    trail.record(None, "token_revoked", data, user=actor, about=[token])
    return True


def visible_tokens(user: User) -> QuerySet[ApiToken]:
    """The user's own tokens; for an administrator all tokens."""
    rows = ApiToken.objects.select_related("user", "made_by")
    if user.has_perm(roles.EVERY_TOKEN):
        return rows
    return rows.filter(user=user)


def find(raw: str) -> ApiToken | None:
    """The valid token with this secret, or None. Records the time of use."""
    rows = ApiToken.objects.select_related("user")
    token = rows.filter(digest=bearer_keys.digest(raw)).first()
    if token is None or not token.is_valid:
        return None
    bearer_keys.note_use(token)
    return token


def is_known(raw: str) -> bool:
    """Whether a token with this secret is valid. Does not record the use."""
    rows = ApiToken.objects.select_related("user")
    token = rows.filter(digest=bearer_keys.digest(raw)).first()
    return token is not None and token.is_valid


def _event_data(token: ApiToken) -> dict[str, object]:
    return {
        "token": token.prefix,
        "name": token.name,
        "for": token.user.get_username(),
        "scopes": token.scopes,
        "until": token.expires_at.isoformat() if token.expires_at else "",
    }


def revoke_all(user: User, **_: object) -> None:
    """Revoke all tokens of a user. Connected to the signal that a user was deactivated.

    If the user is activated again, the old tokens stay invalid.
    """
    _revoke_each(ApiToken.objects.filter(user=user), "deactivated")


def revoke_own(user: User, reason: str, **_: object) -> None:
    """Revoke the tokens that a user made to act as themselves. Connected to `people.renewed`.

    Somebody who knew the password may have made one, and would still be in. Tokens between two
    people stay: systems depend on them, and the mail of `create` told the user about each.
    """
    own = ApiToken.objects.filter(user=user, made_by=user)
    if _revoke_each(own, reason):
        notices.send(user, notices.TOKENS_REVOKED)


def _revoke_each(tokens: QuerySet[ApiToken], reason: str) -> int:
    count = 0
    for token in tokens.filter(revoked_at=None).select_related("user"):
        if bearer_keys.revoke(token):
            count += 1
            data = {**_event_data(token), "reason": reason}
            trail.record(None, "token_revoked", data, about=[token])
    return count
