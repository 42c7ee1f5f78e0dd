"""Sessions: how they are stored, and what the browser's cookie contains.

Who reads the database, or a copy of it, must not be able to act as a person who is logged in:
neither the key of a row nor its content is enough. The cookie carries the key with a signature of
SECRET_KEY, and the content is encrypted. Who can write there must not be able to copy the content of
one session into another: it is signed for its own key.
"""

from __future__ import annotations

import logging
from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import cached_db, db
from django.contrib.sessions.serializers import JSONSerializer
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from compliance.security import encryption

log = logging.getLogger(__name__)

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
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        # A cookie without a value is one that the browser must delete.
        if cookie is not None and cookie.value:
            # This keeps the attributes of the cookie.
            response.cookies[settings.SESSION_COOKIE_NAME] = cookie_of(cookie.value)
        return response


class EncryptedContent(JSONSerializer):
    """A serializer whose output is encrypted.

    For minutes a session holds secrets of django-allauth: the key of a link for a new password, and
    the secret of an authenticator app that is being set up.
    """

    def dumps(self, obj: object) -> bytes:
        text = super().dumps(obj).decode("latin-1")
        return encryption.encrypt(text).encode()

    def loads(self, data: bytes) -> object:
        text = encryption.decrypt(data.decode())
        return super().loads(text.encode("latin-1"))


class BoundContent(db.SessionStore):
    """Sessions in the database, whose content is valid for the key of its row alone."""

    @property
    def key_salt(self) -> str:
        return f"{_SALT}.content:{self.session_key}"


class SharedStore(BoundContent, cached_db.SessionStore):
    """Sessions in the database, with a copy in the cache that all processes share.

    Django's own store fails if the cache is unavailable, although the database has the session.
    Here the database is then sufficient: nobody is logged out because Redis restarts. Ending a
    session still needs the cache, because a copy left there would be accepted again.
    """

    def load(self) -> dict[str, object]:
        try:
            return super().load()
        except RedisError as exc:
            log.warning("A session was not cached (%s).", type(exc).__name__)
        return db.SessionStore.load(self)

    def exists(self, session_key: str) -> bool:
        try:
            return super().exists(session_key)
        except RedisError:
            return db.SessionStore.exists(self, session_key)


# Use the cache only if all processes share it: with a cache for each process, a session that one
# process has ended would stay valid in the others.
SessionStore = SharedStore if settings.SESSIONS_IN_CACHE else BoundContent
