"""Keeps a response between the form that brings it and the page that uses it.

The form comes from the provider's site, so browsers send it without our session's cookie
(SameSite=Lax). They send the cookie with the redirect that follows.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

# Seconds: the redirect follows at once.
KEEP_SECONDS = 120
_SALT = "compliance.saml"
_KEY = "saml_response"


def cookie_name() -> str:
    if settings.SESSION_COOKIE_SECURE:
        return "__Host-saml"
    return "saml"


def give(response: HttpResponse, text: str) -> None:
    """Store a response of the provider, encrypted, under a key in a cookie of this response."""
    store = _store(None)
    store[_KEY] = text
    store.set_expiry(KEEP_SECONDS)
    store.save()
    response.set_cookie(
        cookie_name(),
        Signer(salt=_SALT).sign(store.session_key),
        max_age=KEEP_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def take(request: HttpRequest) -> str:
    """The response of the provider that this browser has brought; "" if none. Only once."""
    try:
        key = Signer(salt=_SALT).unsign(request.COOKIES.get(cookie_name(), ""))
    except BadSignature:
        return ""
    store = _store(key)
    text = str(store.get(_KEY, ""))
    store.delete()
    return text


def _store(key: str | None) -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore(key)
