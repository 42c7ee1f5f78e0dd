"""Refuses a body that is too large for its path before Django reads it.

The embedded server refuses such a body while it arrives (request_buffer.py). Behind a proxy, which
has received the body already, this middleware applies the same rule.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from compliance.http.limits import credentials

Respond = Callable[[HttpRequest], HttpResponseBase]


def limit_bodies(get_response: Respond) -> Respond:
    """Middleware. It must run before any middleware that reads forms."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdecimal() else 0
        # Small bodies pass without a query.
        if size > settings.MAX_ANONYMOUS_BYTES and not _may_send(request, size):
            problem = {
                "error": "Content Too Large",
                "message": "The request is too large.",
            }
            return JsonResponse(problem, status=413)
        return get_response(request)

    return respond


def _may_send(request: HttpRequest, size: int) -> bool:
    cookie = request.META.get("HTTP_COOKIE", "")
    authorization = request.META.get("HTTP_AUTHORIZATION", "")
    path = request.path
    limit = credentials.body_limit(path, cookie=cookie, authorization=authorization)
    if size > limit:
        return False
    return credentials.is_genuine(path, cookie=cookie, authorization=authorization)
