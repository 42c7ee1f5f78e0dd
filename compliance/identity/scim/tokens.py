"""Tokens of directories: made by a command, shown once, always with an end."""

from __future__ import annotations

from datetime import timedelta

from django.utils.timezone import now
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from compliance.http.limits.throttling import PerMinute
from compliance.identity.scim import events
from compliance.models import DirectoryToken
from compliance.security import bearer_keys

MARK = "scim_"
MOST_DAYS = 730


def create(name: str, *, days: int) -> tuple[DirectoryToken, str]:
    """Make a token. The second value is the token itself. Raises ValueError for an end that is none."""
    if not 1 <= days <= MOST_DAYS:
        raise ValueError(f"A token works for 1 to {MOST_DAYS} days.")
    key = bearer_keys.generate(MARK)
    token = DirectoryToken.objects.create(
        name=name,
        prefix=key.prefix,
        digest=key.digest,
        expires_at=now() + timedelta(days=days),
    )
    events.send("scim_token_made", token)
    return token, key.raw


def revoke(token: DirectoryToken) -> bool:
    """End a token at once. Returns False where it had ended already."""
    if not bearer_keys.revoke(token):
        return False
    events.send("scim_token_revoked", token)
    return True


class DirectoryAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[None, DirectoryToken]:
        """The token. Missing, unknown, revoked, expired: all answer alike."""
        raw = bearer_keys.of_header(request.META.get("HTTP_AUTHORIZATION", ""))
        digest = bearer_keys.digest(raw)
        token = DirectoryToken.objects.filter(digest=digest).first()
        if token is None or not token.is_valid:
            raise AuthenticationFailed(
                "The token is missing, unknown, revoked or expired."
            )
        bearer_keys.note_use(token)
        return None, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class PerDirectory(PerMinute):
    def caller(self, request: Request) -> str:
        token = request.auth
        return f"scim-rate:{token.pk}" if isinstance(token, DirectoryToken) else ""
