"""The cookie of a session: its key and a signature of SECRET_KEY."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

# A signature of another kind of value must never be accepted for a session.
_SALT = "compliance.session"


def cookie_of(session_key: str) -> str:
    """The value of the cookie of this session."""
    return Signer(salt=_SALT).sign(session_key)


def key_of(cookie: str) -> str | None:
    """The key of the session in a cookie; None if SECRET_KEY or an earlier one has not signed it."""
    try:
        return Signer(salt=_SALT).unsign(cookie)
    except BadSignature:
        return None


def is_login(cookie: str) -> bool:
    """Whether a person is logged in by the session of this cookie."""
    session_key = key_of(cookie)
    if session_key is None:
        return False
    engine = import_module(settings.SESSION_ENGINE)
    return SESSION_KEY in engine.SessionStore(session_key).load()


class SignedCookies(middleware.SessionMiddleware):
    """Django's middleware, with a signature around the key in the cookie."""

    def process_request(self, request: HttpRequest) -> None:
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        request.session = self.SessionStore(key_of(cookie))

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        session = request.session
        # Django would delete a cookie that it does not know, also where nothing asked for a session.
        if not session.accessed and not session.modified:
            return response
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        # A cookie without a value is one that the browser must delete.
        if cookie is not None and cookie.value:
            # This keeps the attributes of the cookie.
            response.cookies[settings.SESSION_COOKIE_NAME] = cookie_of(cookie.value)
        return response
