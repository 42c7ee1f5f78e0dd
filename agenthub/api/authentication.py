"""Who calls: the bearer key of the Authorization header (interface §5)."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from agenthub import keys
from agenthub.models import Account, ApiKey


class BearerKey(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Account, ApiKey]:
        """The account and its key. Missing, unknown, revoked, expired: all answer alike."""
        scheme, _, raw = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        key = keys.find(raw.strip()) if scheme.lower() == "bearer" else None
        if key is None:
            raise AuthenticationFailed("Invalid API key provided")
        return key.account, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
