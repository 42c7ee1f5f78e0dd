"""Limits the requests per API key."""

from __future__ import annotations

from rest_framework.request import Request

from agenthub.models import ApiKey
from compliance.http.limits.throttling import PerMinute


class PerKey(PerMinute):
    def caller(self, request: Request) -> str:
        key = request.auth
        if isinstance(key, ApiKey):
            return f"hub-rate:{key.pk}"
        return ""
