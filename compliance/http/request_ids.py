"""Gives each request an id, for its response, its log lines and the requests that it causes.

A caller may send its own id in X-Request-ID, so that the logs of both systems can be joined. It must
have the form of a number that machines draw: a UUID, 32 hexadecimal digits (as a trace of W3C Trace
Context, or $request_id of nginx), or a ULID.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

log = logging.getLogger(__name__)

Respond = Callable[[HttpRequest], HttpResponseBase]

HEADER = "X-Request-ID"
# Other ids are replaced: they go into the log, where a line break would forge a line. A shorter or
# freer form would fit a name, an e-mail address without its @, or the number of a card or account.
_FIT = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|[0-9a-f]{32}"
    r"|[0-7][0-9A-HJKMNP-TV-Z]{25}",
    re.IGNORECASE | re.ASCII,
)
# As many bytes as in a UUID: what we send with our requests has one of these forms, too.
BYTES = 16
# The request that the current thread handles.
_current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_ID = "_request_id"


def current() -> HttpRequest | None:
    return _current.get()


def current_id() -> str:
    """The id of the request that is being handled; empty outside of a request."""
    request = _current.get()
    return getattr(request, _ID, "")


def name_requests(get_response: Respond) -> Respond:
    """Middleware, the outermost: all others log with this id."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        brought = request.META.get("HTTP_X_REQUEST_ID", "")
        name = brought if _FIT.fullmatch(brought) else secrets.token_hex(BYTES)
        setattr(request, _ID, name)
        token = _current.set(request)
        try:
            response = get_response(request)
            response[HEADER] = name
            if response.status_code == 403:
                _log_denial(request)
            return response
        finally:
            _current.reset(token)

    return respond


def _log_denial(request: HttpRequest) -> None:
    """Log a refused request by its URL pattern: the values in the URL may be personal."""
    match = request.resolver_match
    route = match.route if match else "?"
    log.warning("Denied: %s %s.", request.method, route)
