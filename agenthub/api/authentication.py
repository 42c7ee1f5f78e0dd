"""Authentication by the bearer key in the Authorization header (interface §5)."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from agenthub.accounts import api_keys
from agenthub.models import Account, ApiKey
from compliance.security import bearer_keys


class BearerKey(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Account, ApiKey]:
        """The account and its key. Missing, unknown, revoked, expired: all answer alike."""
        header = request.META.get("HTTP_AUTHORIZATION", "")
        key = api_keys.find(bearer_keys.of_header(header))
        if key is None:
            raise AuthenticationFailed("Invalid API key provided")
        return key.account, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
