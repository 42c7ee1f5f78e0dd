"""Limits requests per address that prove nothing: no login, no key, no signature, no link.

The limit is checked before all other work on a request, so guessing credentials is slow and a flood
costs little. Requests with a valid key, signature or login are never counted, however many callers
share an address.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from compliance.http import counters
from compliance.http.callers import address_of

Respond = Callable[[HttpRequest], HttpResponseBase]

MINUTE = 60
# Machines poll these paths continually, and serving them costs almost nothing.
FREE = ("/health/", "/static/")
WITH_KEYS = ("/api/", "/scim/")
RECEIVER = "/webhooks/"
MESSAGE = "Too many requests from this address. Try again in a minute."


def limit_addresses(get_response: Respond) -> Respond:
    """Middleware, behind `trust_declared_proxies`, which sets the address."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        limit = settings.ADDRESS_RATE
        if not limit or request.path.startswith(FREE):
            return get_response(request)
        minute = int(time.time() // MINUTE)
        name = f"address:{counters.digest(address_of(request))}:{minute}"
        if counters.value(name) >= limit:
            return _refusal()
        # Whether a request proves anything is known only after the view has answered.
        response = get_response(request)
        if is_unproven(request, response):
            counters.count(name, seconds=2 * MINUTE)
        return response

    return respond


def is_unproven(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether nothing in the request or the response shows that the sender is allowed here."""
    status = response.status_code
    if request.path.startswith(WITH_KEYS):
        has_key = "HTTP_AUTHORIZATION" in request.META
        return status == 401 or (status >= 400 and not has_key)
    if request.resolver_match is None and request.path.startswith(RECEIVER):
        # The receiver's middleware answered without the URL resolver. These statuses mean: a wrong
        # signature, or no webhook at all.
        return status in {400, 401, 405}
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return False
    # Services often fetch documents by signed links, without a login. A working link is a proof.
    is_document = request.path.startswith("/documents/") and status == 200
    return not is_document


def _refusal() -> HttpResponse:
    seconds = int(MINUTE - time.time() % MINUTE) + 1
    body = json.dumps({"error": "Too Many Requests", "message": MESSAGE})
    headers = {"Retry-After": str(seconds), "X-Content-Type-Options": "nosniff"}
    return HttpResponse(
        body, status=429, content_type="application/json", headers=headers
    )
