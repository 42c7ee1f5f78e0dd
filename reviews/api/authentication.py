"""Authentication of the desk's REST interface by bearer token, and the rate limit per token."""

from __future__ import annotations

from django.contrib.auth.models import User
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from compliance.http.limits.throttling import PerMinute
from compliance.security import bearer_keys
from reviews.access import api_tokens
from reviews.models import ApiToken


class BearerToken(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken]:
        """The user and the token. A missing, unknown, revoked or expired token gives the same
        response.
        """
        # find() records the use of a valid token.
        header = request.META.get("HTTP_AUTHORIZATION", "")
        token = api_tokens.find(bearer_keys.of_header(header))
        if token is None:
            raise AuthenticationFailed(
                "The token is missing, unknown, revoked or expired."
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class PerToken(PerMinute):
    def caller(self, request: Request) -> str:
        # Without a token the request has been refused, so there is nothing to count.
        token = request.auth
        if isinstance(token, ApiToken):
            return f"desk-rate:{token.pk}"
        return ""
