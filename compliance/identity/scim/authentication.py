"""Authentication of directories by bearer token, and their request limit.

Separate from the tokens: the admin, which every process loads, needs tokens without REST framework.
"""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from compliance.http.limits.throttling import PerMinute
from compliance.models import DirectoryToken
from compliance.security import bearer_keys


class DirectoryAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[None, DirectoryToken]:
        """Returns the token. Missing, unknown, revoked and expired tokens get the same error."""
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
