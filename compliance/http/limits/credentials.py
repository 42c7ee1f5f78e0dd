"""Checks whether a request's credentials are valid, before a large body of it is accepted.

That a cookie or a header is present proves nothing: anybody can send one. Apps register functions
that recognise their keys and links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.db import DatabaseError, close_old_connections

# Takes a bearer key, or the value of the session cookie, and returns whether it is valid.
Knows = Callable[[str], bool]
# Takes a path and the Cookie header, and returns whether they belong to a valid link.
KnowsLink = Callable[[str, str], bool]
_keys: list[Knows] = []
_logins: list[Knows] = []
_links: dict[str, KnowsLink] = {}


def register_keys(knows: Knows) -> None:
    if knows not in _keys:
        _keys.append(knows)


def register_logins(knows: Knows) -> None:
    if knows not in _logins:
        _logins.append(knows)


def register_links(prefix: str, knows: KnowsLink) -> None:
    _links[prefix] = knows


def body_limit(path: str, *, cookie: str, authorization: str) -> int:
    """The largest body in bytes that a request to this path may have with valid credentials."""
    # Webhooks carry no session or key: their signature is checked when the body has arrived.
    if path.startswith("/webhooks/"):
        return settings.MAX_WEBHOOK_BYTES
    # Applicants upload files through links.
    if path.startswith(tuple(_links)):
        return settings.MAX_REQUEST_BYTES
    # A request that does not even claim to be logged in gets the smallest limit.
    if settings.SESSION_COOKIE_NAME not in cookie and not authorization:
        return settings.MAX_ANONYMOUS_BYTES
    # Only some paths accept files. Elsewhere a body is a form.
    if path.startswith(settings.UPLOAD_PATHS):
        return settings.MAX_REQUEST_BYTES
    return settings.MAX_FORM_BYTES


def is_genuine(path: str, *, cookie: str, authorization: str) -> bool:
    """Whether the request has a valid session, key or link.

    Also True if the database is unavailable: the view then answers with 503.
    """
    try:
        return _is_genuine(path, cookie, authorization)
    except DatabaseError:
        return True


def _is_genuine(path: str, cookie: str, authorization: str) -> bool:
    for prefix, knows in _links.items():
        if path.startswith(prefix):
            return knows(path, cookie)
    scheme, _, raw = authorization.partition(" ")
    if scheme.lower() == "bearer" and any(knows(raw.strip()) for knows in _keys):
        return True
    return _is_logged_in(cookie)


def _is_logged_in(header: str) -> bool:
    try:
        morsel = SimpleCookie(header).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return False
    if morsel is None:
        return False
    return any(knows(morsel.value) for knows in _logins)


def is_genuine_in_thread(path: str, headers: Mapping[bytes, bytes]) -> bool:
    """Like `is_genuine`, for a thread outside of requests, which must close its connections."""
    close_old_connections()
    try:
        return is_genuine(
            path,
            cookie=headers.get(b"cookie", b"").decode("latin-1"),
            authorization=headers.get(b"authorization", b"").decode("latin-1"),
        )
    finally:
        close_old_connections()
